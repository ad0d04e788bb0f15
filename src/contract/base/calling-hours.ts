/** A campaign's calling hours by weekday, in the lead's own time zone (rule D1). */
import * as z from 'zod'

/** A local time of day. `24:00` is the end of the day. */
const TimeOfDay = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'send a time as HH:MM')
  .meta({ id: 'TimeOfDay' })
const Window = z
  .tuple([TimeOfDay, TimeOfDay])
  .meta({ id: 'CallingWindow', description: 'From the first time until, but not at, the second.' })
/** The texts sort as the times do. */
const SentWindow = Window.refine(([from, until]) => from < until, { error: 'a window ends after it begins' }).meta({
  id: 'NewCallingWindow',
})

const week = <W extends z.ZodType>(day: W) => ({
  mon: day,
  tue: day,
  wed: day,
  thu: day,
  fri: day,
  sat: day,
  sun: day,
})

/** A missing day is closed. */
export const CallingHours = z
  .object(week(z.array(Window).optional()))
  .meta({ id: 'CallingHours', description: 'Windows of each weekday, in the time zone of the lead.' })
export type CallingHours = z.output<typeof CallingHours>

export const SentCallingHours = z.strictObject(week(z.array(SentWindow).optional())).meta({ id: 'NewCallingHours' })
