/** One lead: what happened on one time line, why it waits, its calls, and what people can do with it. */
import type { Call } from '../../src/contract/calls.js'
import type { Explanation } from '../../src/contract/control/explain.js'
import type { LeadStory, StoryItem } from '../../src/contract/control/lead-views.js'
import type { LeadStatus } from '../../src/contract/leads.js'
import { call } from '../api/request.js'
import { useResource } from '../api/resource.js'
import { CallPanel } from '../components/call-panel.js'
import { LeadActions } from '../components/lead-actions.js'
import { LeadFields } from '../components/lead-fields.js'
import { Json, Link, Loaded, Panel, StatusTag, Tag, words } from '../components/parts.js'
import { Relative, Time } from '../components/time.js'

export function LeadDetail({ id }: { id: string }) {
  const story = useResource(
    `story ${id}`,
    async (signal) => (await call('getLeadStory', { params: { id } }, signal)).data,
  )
  const reasons = useResource(
    `explain ${id}`,
    async (signal) => (await call('explainLead', { params: { id } }, signal)).data,
  )
  return (
    <Loaded of={story}>
      {(known) => (
        <>
          <Heading story={known} />
          <LeadActions story={known} />
          <div class="columns">
            <div class="stack">
              <Panel title={isWaiting(known.lead.status) ? 'Why it waits' : 'What the rules say'}>
                <Loaded of={reasons}>{(explained) => <Rules explained={explained} />}</Loaded>
              </Panel>
              <TimeLine items={known.items} />
            </div>
            <div class="stack">
              <Calls calls={known.calls} />
              <LeadFields lead={known.lead} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}

const isWaiting = (status: LeadStatus): boolean =>
  ['queued', 'scheduled', 'held', 'callback_scheduled'].includes(status)

function Heading({ story: { lead, campaign } }: { story: LeadStory }) {
  return (
    <div class="heading">
      <p>
        <Link screen="leads">Leads</Link>
      </p>
      <h2>
        {lead.name ?? lead.phone} <StatusTag status={lead.status} />
      </h2>
      <p class="quiet">
        {lead.phone} · {campaign.name} · added <Relative at={lead.created} />
        {lead.external_id !== null && ` · ${lead.external_id}`}
        {lead.next_dial_at !== null && (
          <>
            {' '}
            · next call <Relative at={lead.next_dial_at} />
          </>
        )}
      </p>
    </div>
  )
}

const verdictTones = { allows: 'green', waits: 'amber', forbids: 'red', unknown: 'plain' } as const

function Rules({ explained: { rules, decides, next_call_at } }: { explained: Explanation }) {
  const shown = rules.filter(({ applies, rule }) => applies || rule === decides)
  const others = rules.filter((one) => !shown.includes(one))
  const deciding = rules.find(({ rule }) => rule === decides)
  return (
    <>
      <p>
        {deciding ? (
          <>
            <strong>{deciding.label}</strong> decides: {deciding.says}.
          </>
        ) : (
          'No rule keeps the lead from its call.'
        )}
        {next_call_at !== null && (
          <>
            {' '}
            The rules allow a call <Relative at={next_call_at} />, <Time at={next_call_at} />.
          </>
        )}
      </p>
      <RuleList rules={shown} decides={decides} />
      {others.length > 0 && (
        <details>
          <summary>Rules that do not apply to this lead: {others.length}</summary>
          <RuleList rules={others} decides={decides} />
        </details>
      )}
    </>
  )
}

function RuleList({ rules, decides }: Pick<Explanation, 'rules' | 'decides'>) {
  return (
    <ul class="rules">
      {rules.map(({ rule, label, verdict, says, until }) => (
        <li key={rule} class={rule === decides ? `decides ${verdictTones[verdict]}` : ''}>
          <Tag tone={verdictTones[verdict]}>{verdict}</Tag>
          <span>
            <strong>{label}</strong> <span class="quiet">{says}</span>
          </span>
          {until !== null && verdict === 'waits' && <Relative at={until} />}
        </li>
      ))}
    </ul>
  )
}

function toneOf({ kind, what, delivery }: StoryItem): string {
  if (kind === 'delivery') return delivery?.status === 'sent' ? 'plain' : 'red'
  if (kind === 'dnc' || what === 'lead.opted_out' || what === 'lead.late') return 'red'
  if (what === 'lead.interested' || what === 'handover.accepted') return 'green'
  return what.startsWith('call.') ? 'blue' : 'violet'
}

function TimeLine({ items }: { items: readonly StoryItem[] }) {
  return (
    <Panel title="Story" side={<span class="quiet">newest first</span>}>
      <ol class="story">
        {[...items].reverse().map((item, i) => (
          <li key={`${item.at} ${item.kind} ${i}`} class={toneOf(item)}>
            <Time at={item.at} />
            <Step item={item} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Step({ item }: { item: StoryItem }) {
  const { kind, what, event, delivery, url = '' } = item
  if (kind === 'dnc') return <div>The number is on the Do Not Call list ({what}).</div>
  if (delivery) {
    return (
      <div>
        <Tag tone={toneOf(item)}>{words(delivery.status)}</Tag> {delivery.event_type} to {url}{' '}
        <span class="quiet">{delivery.response_status ?? delivery.error}</span>{' '}
        <Link screen="webhooks" id={delivery.id}>
          delivery
        </Link>
      </div>
    )
  }
  const subject = event?.data.object
  const outcome = subject && 'object' in subject ? subject.outcome : null
  return (
    <details>
      <summary>
        <strong>{what}</strong> <span class="quiet">{outcome !== null && words(outcome)}</span>
      </summary>
      {event && <Json label={`Event ${what}`} value={event} />}
    </details>
  )
}

function Calls({ calls }: { calls: readonly Call[] }) {
  return (
    <Panel title="Calls" side={<span class="quiet">{calls.length}</span>}>
      {calls.length === 0 ? (
        <p class="quiet">It was not called yet. Push the clock, or script what the next call does.</p>
      ) : (
        calls.map((one) => <CallPanel key={one.id} call={one} />)
      )}
    </Panel>
  )
}
