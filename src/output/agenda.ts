/** Renders the simulator's planned actions and waiting leads as sentences, with times of the simulated clock. */
import type { Agenda, Appointment, WaitingLead } from '../contract/control/agenda.js'
import type { Paint } from './table/cell.js'
import { stripControlsFromLine } from './sanitize.js'
import { wrapHanging } from './wrap.js'
import { fullTime, localZone, shortTime, type TimeStyle } from './time.js'

/** Lines are wrapped for the width. */
interface LineStyle extends TimeStyle {
  width: number
}

/** `limit` is the requested number of each. If a list has that many, there may be more. */
export function renderAgenda(
  { now, appointments, waiting }: Agenda,
  { limit, utc, width }: { limit: number; utc: boolean; width: number },
  paint: Paint,
): string {
  const clock = { now: Date.parse(now), utc }
  const more = (list: readonly unknown[]) => (list.length >= limit ? ', the first of them' : '')
  return [
    `The clock shows ${stripControlsFromLine(fullTime(now, clock))}${utc ? '' : ` ${localZone()}`}.`,
    '',
    paint.bold(`What happens next${more(appointments)}`),
    ...renderAppointments(appointments, { ...clock, width }, paint),
    '',
    paint.bold(`Who waits, and why${more(waiting)}`),
    ...(waiting.length === 0
      ? ['  Nobody waits.']
      : waiting.flatMap((lead) => renderWaitingLead(lead, { ...clock, width }, paint))),
    '',
  ].join('\n')
}

function renderAppointments(appointments: readonly Appointment[], clock: LineStyle, paint: Paint): string[] {
  if (appointments.length === 0) return ['  Nothing is planned.']
  const times = appointments.map(({ at }) => stripControlsFromLine(shortTime(at, clock).text))
  const width = Math.max(...times.map((time) => time.length))
  return appointments.map(({ what }, i) =>
    wrapHanging(
      `  ${paint.dim((times[i] ?? '').padEnd(width))}  ${stripControlsFromLine(what)}`,
      clock.width,
      width + 4,
    ),
  )
}

function renderWaitingLead(
  { id, name, phone, status, until, why }: WaitingLead,
  clock: LineStyle,
  paint: Paint,
): string[] {
  const who = name === null ? phone : `${name}, ${phone}`
  const time = until === null ? '' : `, ${shortTime(until, clock).text}`
  return [
    `  ${paint.dim(stripControlsFromLine(id))}  ${stripControlsFromLine(`${who}: ${status}${time}`)}`,
    `    ${stripControlsFromLine(why)}`,
  ].map((line) => wrapHanging(line, clock.width, 4))
}
