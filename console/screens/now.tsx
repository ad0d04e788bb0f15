/** Now: counts by status, the phone lines, what comes next, calling hours, and the events as they happen. */
import { useState } from 'preact/hooks'
import type { CampaignLines } from '../../src/contract/control/pulse.js'
import type { Schedule } from '../../src/contract/control/schedule.js'
import { leadStatuses } from '../../src/contract/enums.js'
import type { LeadStatus } from '../../src/contract/leads.js'
import { scope } from '../api/place.js'
import { isPushing, now, pulse } from '../api/pulse.js'
import { call } from '../api/request.js'
import { useResource, type Resource } from '../api/resource.js'
import { organization } from '../api/world.js'
import { ActionButton } from '../components/action-button.js'
import { DayStrip } from '../components/charts.js'
import { advanceTo } from '../components/clock-bar.js'
import { AddLead } from '../components/add-lead.js'
import { count, Empty, Link, Loaded, Panel, Tag, toneOf, words } from '../components/parts.js'
import { cityOf, duration, Relative, Time } from '../components/time.js'

export function Now() {
  const query = scope.value
  const schedule = useResource(
    `schedule ${JSON.stringify(query)}`,
    async (signal) => (await call('getSchedule', { query }, signal)).data,
  )
  return (
    <div class="columns">
      <div class="stack">
        <Counts />
        <Lines />
        <Next schedule={schedule} />
      </div>
      <div class="stack">
        <Feed />
        <HoursOfDay schedule={schedule} />
      </div>
    </div>
  )
}

function Counts() {
  const counts = (pulse.value?.leads ?? {}) as Record<LeadStatus, number>
  const total = Object.values(counts).reduce((sum, many) => sum + many, 0)
  return (
    <Panel title="Leads" side={<span class="number">{count(total)}</span>}>
      {!pulse.value ? (
        <p class="quiet reading">Reading...</p>
      ) : total === 0 ? (
        <Empty title="There is no lead yet.">
          <p>Add one, then push the clock and follow its call here.</p>
          <AddLead />
        </Empty>
      ) : (
        <>
          <Proportions counts={counts} total={total} />
          <ul class="counts" aria-label="Leads by status">
            {leadStatuses.map((status) => (
              <li key={status}>
                <Link
                  screen="leads"
                  set={{ status }}
                  class={`count ${toneOf(status)} ${counts[status] > 0 ? '' : 'none'}`}
                >
                  <span class="number">{count(counts[status] ?? 0)}</span>
                  <span>{words(status)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}

function Proportions({ counts, total }: { counts: Record<LeadStatus, number>; total: number }) {
  let x = 0
  return (
    <svg class="proportions" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      {leadStatuses.map((status) => {
        const width = total === 0 ? 0 : ((counts[status] ?? 0) / total) * 100
        const at = x
        x += width
        return <rect key={status} class={`fill ${toneOf(status)}`} x={at} y={0} width={width} height={4} />
      })}
    </svg>
  )
}

function Lines() {
  const campaigns = pulse.value?.lines ?? []
  const busy = campaigns.reduce((sum, one) => sum + one.busy, 0)
  return (
    <Panel title="Phone lines" side={<span class="quiet">{count(busy)} busy</span>}>
      {campaigns.map((campaign) => (
        <Strip key={campaign.campaign_id} campaign={campaign} />
      ))}
    </Panel>
  )
}

const shownLines = 24

function Strip({ campaign: { name, status, lines, busy, queued, calls } }: { campaign: CampaignLines }) {
  const shown = calls.slice(0, shownLines)
  const free = Math.max(0, Math.min(shownLines, lines) - shown.length)
  const hidden = Math.max(0, lines - shown.length - free)
  return (
    <div class="lines">
      <h3>
        {name} {status !== 'running' && <Tag tone="amber">{words(status)}</Tag>}
        <span class="quiet">
          {' '}
          {count(busy)} of {count(lines)} busy, {count(queued)} in line
        </span>
      </h3>
      <ul aria-label={`Lines of ${name}`}>
        {shown.map((one) => (
          <li key={one.id} class={`line busy ${one.status}`}>
            {one.lead_id === null ? (
              <span>{one.who}</span>
            ) : (
              <Link screen="leads" id={one.lead_id}>
                {one.who}
              </Link>
            )}
            <small>
              {one.direction === 'inbound' ? 'calls in, ' : ''}
              {one.status === 'ringing' ? 'ringing' : 'talking'} {duration(now.value - Date.parse(one.started))}
            </small>
          </li>
        ))}
        {Array.from({ length: free }, (_, i) => (
          <li key={`free ${i}`} class="line">
            <small>free</small>
          </li>
        ))}
        {hidden > 0 && <li class="line more">and {count(hidden)} more</li>}
      </ul>
    </div>
  )
}

const shortAgenda = 8

interface ScheduleProps {
  schedule: Resource<Schedule>
}

function HoursOfDay({ schedule }: ScheduleProps) {
  const from = Date.parse(schedule.data?.from ?? '')
  return (
    <Panel title="Calling hours" side={<span class="quiet">the next 24 hours</span>}>
      <Loaded of={schedule}>
        {({ hours }) =>
          hours.length === 0 ? (
            <p class="quiet">Time zones appear here once leads wait for calling hours.</p>
          ) : (
            <ul class="zones">
              {hours.map((one) => (
                <li key={`${one.campaign_id} ${one.zone}`}>
                  <div>
                    <strong>{one.zone.split(', ').map(cityOf).join(', ')}</strong>{' '}
                    <span class="quiet">
                      {one.is_open ? 'open' : 'closed'}
                      {one.changes_at !== null &&
                        `, ${one.is_open ? 'closes' : 'opens'} in ${duration(Date.parse(one.changes_at) - now.value)}`}
                      {`, ${count(one.queued + one.scheduled)} leads, ${one.campaign}`}
                    </span>
                  </div>
                  <DayStrip
                    from={from}
                    at={now.value}
                    spans={one.open.map((span) => ({ from: Date.parse(span.from), to: Date.parse(span.to) }))}
                    label={`Calling hours in ${one.zone}: ${one.is_open ? 'open' : 'closed'}`}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Next({ schedule }: ScheduleProps) {
  const [isLong, setLong] = useState(false)
  return (
    <Panel title="Next">
      <Loaded of={schedule}>
        {({ appointments }) =>
          appointments.length === 0 ? (
            <p class="quiet">Nothing is planned.</p>
          ) : (
            <>
              <ol class="agenda">
                {appointments.slice(0, isLong ? undefined : shortAgenda).map(({ at, kind, subject, what }, i) => (
                  <li key={`${at} ${subject ?? ''} ${i}`}>
                    <Relative at={at} />
                    <span class="what">
                      {kind.startsWith('lead.') && subject !== null ? (
                        <Link screen="leads" id={subject}>
                          {what}
                        </Link>
                      ) : (
                        what
                      )}
                    </span>
                    <Time at={at} />
                    <ActionButton label="Go there" tone="small" action={advanceTo(at)} isDisabled={isPushing.value} />
                  </li>
                ))}
              </ol>
              {appointments.length > shortAgenda && (
                <button type="button" class="small" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
                  {isLong ? 'Show fewer' : `Show ${appointments.length - shortAgenda} more`}
                </button>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Feed() {
  const { feed = [], events_per_second: rate = 0 } = pulse.value ?? {}
  const local = organization.value
  return (
    <Panel title="Happening" side={<span class="quiet">{rate > 0 ? `${count(rate)} events/s` : 'latest'}</span>}>
      {feed.length === 0 ? (
        <p class="quiet">Events of {local?.name ?? 'the organization'} appear here as they happen.</p>
      ) : (
        <ol class="feed" aria-label="Latest events, newest first">
          {[...feed].reverse().map(({ id, at, type, who, lead_id, detail }) => (
            <li key={id}>
              <Tag tone={toneOfEvent(type, detail)}>{type}</Tag>
              <span class="who">
                {lead_id !== null && who !== null ? (
                  <Link screen="leads" id={lead_id}>
                    {who}
                  </Link>
                ) : (
                  who
                )}{' '}
                <span class="quiet">{detail !== null && words(detail)}</span>
              </span>
              <Relative at={at} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function toneOfEvent(type: string, detail: string | null): string {
  if (type === 'delivery.attempt') return /: 2\d\d$/.test(detail ?? '') ? 'plain' : 'red'
  if (type === 'lead.interested' || type === 'handover.accepted') return 'green'
  if (type === 'lead.opted_out' || type === 'lead.late') return 'red'
  return type.startsWith('call.') ? 'blue' : 'violet'
}
