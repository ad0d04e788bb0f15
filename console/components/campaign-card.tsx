/** A campaign with its settings, and a grid of its calling hours that can be edited. */
import { useState } from 'preact/hooks'
import type { CampaignInWorld } from '../../src/contract/control/campaigns.js'
import type { CallingHours } from '../../src/contract/base/calling-hours.js'
import { campaignStatuses } from '../../src/contract/enums.js'
import { action } from '../api/action.js'
import { ActionButton, FormButton } from './action-button.js'
import { Tag, words } from './parts.js'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Day = (typeof days)[number]
const hours = Array.from({ length: 24 }, (_, hour) => hour)

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const timeOf = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Which hours of a day are open, as 24 flags. Part of an hour counts. */
const openHours = (windows: CallingHours[Day] = []): boolean[] =>
  hours.map((hour) =>
    windows.some(([from, until]) => minutesOf(from) < (hour + 1) * 60 && minutesOf(until) > hour * 60),
  )

function windowsOf(open: readonly boolean[]): [string, string][] {
  const windows: [string, string][] = []
  for (let hour = 0; hour < 24; hour++) {
    if (!open[hour]) continue
    const from = hour
    while (hour < 24 && open[hour]) hour++
    windows.push([timeOf(from), timeOf(hour)])
  }
  return windows
}

export function CampaignCard({ campaign }: { campaign: CampaignInWorld }) {
  const { id, name, status, lines, any_hour, max_attempts, spent_usd, spend_cap_usd } = campaign
  const params = { id }
  return (
    <div class="card">
      <h3>
        {name} <Tag tone={status === 'running' ? 'green' : 'amber'}>{words(status)}</Tag>
      </h3>
      <p class="quiet">
        {lines} lines, at most {max_attempts} calls a lead, ${spent_usd.toFixed(2)} spent
        {spend_cap_usd === null ? '' : ` of $${spend_cap_usd.toFixed(2)}`}
        {any_hour && ', any hour'}
      </p>
      <div class="row">
        <ActionButton
          label={status === 'running' ? 'Pause campaign' : 'Start campaign'}
          tone="small"
          said="The campaign was changed."
          action={action(
            'updateCampaign',
            { params, body: { status: status === 'running' ? 'paused' : 'running' } },
            `svc simulate campaign ${id} --status ${status === 'running' ? 'paused' : 'running'}`,
          )}
        />
        <FormButton
          label="Edit campaign"
          tone="small"
          said="The campaign was changed."
          fields={[
            { name: 'lines', label: 'Lines', type: 'number', value: String(lines) },
            { name: 'max_attempts', label: 'Calls of a lead at most', type: 'number', value: String(max_attempts) },
            {
              name: 'status',
              label: 'Status',
              type: 'select',
              options: campaignStatuses.map((one) => [one, words(one)]),
              value: status,
            },
          ]}
          build={(values) =>
            action(
              'updateCampaign',
              {
                params,
                body: {
                  lines: Number(values['lines']),
                  max_attempts: Number(values['max_attempts']),
                  status: values['status'] as (typeof campaignStatuses)[number],
                },
              },
              `svc simulate campaign ${id} --lines ${values['lines']} --max-attempts ${values['max_attempts']} --status ${values['status']}`,
            )
          }
        />
      </div>
      <Hours campaign={campaign} />
    </div>
  )
}

function Hours({ campaign: { id, name, calling_hours } }: { campaign: CampaignInWorld }) {
  const [draft, setDraft] = useState<CallingHours | null>(null)
  const shown = draft ?? calling_hours
  const toggle = (day: Day, hour: number) => {
    const open = openHours(shown[day])
    open[hour] = !open[hour]
    setDraft({ ...shown, [day]: windowsOf(open) })
  }
  const text = days
    .flatMap((day) =>
      shown[day]?.length ? [`${day}=${shown[day].map(([from, until]) => `${from}-${until}`).join(',')}`] : [],
    )
    .join(' --hours ')
  return (
    <details class="hours">
      <summary>Calling hours, in the time zone of the lead</summary>
      <div class="scroll">
        <table class="grid" aria-label={`Calling hours of ${name}`}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {hours.map((hour) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => {
              const open = openHours(shown[day])
              return (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  {hours.map((hour) => (
                    <td key={hour}>
                      <button
                        type="button"
                        aria-pressed={open[hour]}
                        aria-label={`${day} ${timeOf(hour)}`}
                        onClick={() => toggle(day, hour)}
                      />
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {draft && (
        <div class="row">
          <ActionButton
            label="Save hours"
            tone="main"
            said="The calling hours were saved."
            action={action(
              'updateCampaign',
              { params: { id }, body: { calling_hours: draft } },
              `svc simulate campaign ${id} --hours ${text}`,
              () => setDraft(null),
            )}
          />
          <button type="button" onClick={() => setDraft(null)}>
            Discard
          </button>
        </div>
      )}
    </details>
  )
}
