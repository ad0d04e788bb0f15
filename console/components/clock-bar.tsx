/** The clock on every screen: the simulated time, and the buttons that push, pause and stop it. */
import type { ClockUntil } from '../../src/contract/control/clock.js'
import { eventTypes, leadStatuses } from '../../src/contract/enums.js'
import { action, perform, pointedAt, quote } from '../api/action.js'
import { connection, now, pulse, showClock } from '../api/pulse.js'
import { zone } from '../api/world.js'
import { ActionButton, FormButton, type Values } from './action-button.js'
import { cityOf, duration, longDayIn, timeIn } from './time.js'
import { Tag } from './parts.js'

const shown = ({ data }: { data: Parameters<typeof showClock>[0] }) => showClock(data)

const steps = [
  ['+1 m', '1m'],
  ['+15 m', '15m'],
  ['+1 h', '1h'],
  ['+1 d', '24h'],
] as const

const speeds = [1, 10, 60, 600, 3_600]

export const advanceBy = (by: string) => action('advanceClock', { body: { by } }, `svc simulate advance ${by}`, shown)
export const advanceTo = (to: string) => action('advanceClock', { body: { to } }, `svc simulate advance ${to}`, shown)

function until({ kind = 'event', event = '', status = '', date = '', within = '' }: Values) {
  if (kind === 'date') {
    const to = new Date(`${date}Z`)
    return advanceTo(Number.isNaN(to.getTime()) ? date : to.toISOString())
  }
  const condition: ClockUntil = kind === 'event' ? { event } : { status: status as (typeof leadStatuses)[number] }
  const flag = kind === 'event' ? `--until ${quote(event)}` : `--status ${status}`
  return action(
    'advanceClock',
    { body: { until: condition, within } },
    `svc simulate advance ${flag} --within ${quote(within)}`,
    shown,
  )
}

function ClockFace() {
  const ms = now.value
  const local = zone.value
  const clock = pulse.value
  if (!clock) return <div class="face quiet">Connecting to the simulator...</div>
  const isOff = connection.value === 'lost' || connection.value === 'gone'
  const state = clock.push
    ? 'pushing'
    : clock.paused
      ? 'paused'
      : clock.speed === 1
        ? 'running'
        : `running ${clock.speed}x`
  return (
    <div class="face">
      <span class="now" aria-label="Simulated time">
        {timeIn(ms, 'UTC')} <small>UTC</small>
      </span>
      <span class="day">
        <span>{longDayIn(ms, 'UTC')}</span>
        {local !== 'UTC' && (
          <span class="quiet">
            {timeIn(ms, local)} {cityOf(local)}
          </span>
        )}
      </span>
      <Tag tone={isOff ? 'red' : clock.push ? 'blue' : clock.paused ? 'amber' : 'green'}>
        {isOff ? 'not connected' : state}
      </Tag>
    </div>
  )
}

function PushProgress() {
  const push = pulse.value?.push
  if (!push) return null
  const [from, to] = [Date.parse(push.from), Date.parse(push.to)]
  const part = to > from ? Math.min(1, (now.value - from) / (to - from)) : 1
  const [waiting] = push.waits_for
  return (
    <div class="push">
      <progress value={part} max={1} aria-label="Progress of the push" />
      <span>
        {Math.floor(part * 100)} %, {duration(to - now.value)} to go, {pulse.value?.calls_per_second ?? 0} calls/s
      </span>
      {waiting && waiting.seconds >= 0.2 && (
        <span class="waits">
          waits for POST {waiting.url.replace(/^https?:\/\//, '')}, {waiting.seconds.toFixed(1)} s
        </span>
      )}
      <ActionButton
        label="Stop"
        tone="danger"
        said="Time was stopped."
        action={action('stopAdvance', {}, 'svc simulate advance --stop')}
      />
    </div>
  )
}

export function ClockBar() {
  const clock = pulse.value
  const next = clock?.next_at ?? null
  const isOff = !clock || clock.push !== null || connection.value !== 'open'
  return (
    <section class="clock" aria-label="Clock">
      <ClockFace />
      <div class="row controls">
        <div class="joined">
          {steps.map(([label, by]) => (
            <ActionButton key={by} label={label} action={advanceBy(by)} isDisabled={isOff} />
          ))}
        </div>
        <ActionButton
          label="Next event"
          action={advanceTo(next ?? '')}
          isDisabled={isOff || next === null}
          {...(next !== null && { title: `in ${duration(Date.parse(next) - now.value)}` })}
        />
        <FormButton
          label="Until"
          title="Push time until something happens"
          isDisabled={isOff}
          fields={[
            {
              name: 'kind',
              label: 'Stop at',
              type: 'select',
              options: [
                ['event', 'an event'],
                ['status', 'a status of a lead'],
                ['date', 'a date'],
              ],
            },
            {
              name: 'event',
              label: 'Event',
              type: 'select',
              options: eventTypes.map((type) => [type, type]),
              value: 'call.completed',
            },
            {
              name: 'status',
              label: 'Status',
              type: 'select',
              options: leadStatuses.map((status) => [status, status]),
              value: 'done',
            },
            { name: 'date', label: 'Date (UTC)', value: new Date(now.value + 86_400_000).toISOString().slice(0, 16) },
            { name: 'within', label: 'At most', value: '31d', hint: 'A duration such as 90s, 4m, 24h or 31d.' },
          ]}
          build={until}
        />
        {clock?.paused ? (
          <ActionButton
            label="Resume"
            isDisabled={isOff}
            action={action('updateClock', { body: { paused: false } }, 'svc simulate clock --resume', shown)}
          />
        ) : (
          <ActionButton
            label="Pause"
            isDisabled={isOff}
            action={action('updateClock', { body: { paused: true } }, 'svc simulate clock --pause', shown)}
          />
        )}
        <Speed />
      </div>
      <PushProgress />
    </section>
  )
}

const setSpeed = (speed: number) =>
  action('updateClock', { body: { speed } }, `svc simulate clock --speed ${speed}`, shown)

function Speed() {
  const speed = pulse.value?.speed ?? 1
  const point = () => (pointedAt.value = setSpeed(speed))
  const choices = speeds.includes(speed) ? speeds : [...speeds, speed].sort((a, b) => a - b)
  return (
    <select
      aria-label="Speed"
      value={String(speed)}
      onPointerEnter={point}
      onFocus={point}
      onChange={(event) => void perform(setSpeed(Number(event.currentTarget.value)))}
    >
      {choices.map((one) => (
        <option key={one} value={one}>
          {one}x
        </option>
      ))}
    </select>
  )
}
