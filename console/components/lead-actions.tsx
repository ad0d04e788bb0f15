/** What people can do with a lead: the actions of the app, of the telephone network, and opting out. */
import type { LeadStory } from '../../src/contract/control/lead-views.js'
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import { answers, outcomes } from '../../src/contract/enums.js'
import { action, quote } from '../api/action.js'
import { now } from '../api/pulse.js'
import { organizationFlag } from '../api/world.js'
import { ActionButton, FormButton, type Field, type Values } from './action-button.js'
import { words } from './parts.js'

const dayMs = 86_400_000

/** A local date and time without a zone, read as UTC. */
function instantOf(text: string): string {
  const at = new Date(text.endsWith('Z') ? text : `${text}Z`)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}

interface Scope {
  mode: 'live' | 'test'
  organization_id: string
}

export const scriptFields = (phone: string): Field[] => [
  { name: 'phone', label: 'Phone', value: phone, isRequired: true },
  { name: 'answer', label: 'Answer', type: 'select', options: answers.map((one) => [one, words(one)]) },
  {
    name: 'outcome',
    label: 'Outcome, if a person answers',
    type: 'select',
    options: outcomes.map((one) => [one, words(one)]),
    value: 'interested',
  },
  { name: 'ring', label: 'Rings for (seconds)', type: 'number', value: '5' },
  { name: 'talk', label: 'Talks for (seconds)', type: 'number', value: '60' },
  { name: 'callback_at', label: 'Callback at (UTC), for the outcome callback' },
]

export function scriptOf(
  { phone = '', answer = 'person', outcome, ring = '', talk = '', callback_at = '' }: Values,
  whose: Scope,
) {
  const isPerson = answer === 'person'
  const scripted = {
    answer,
    ...(ring !== '' && { ring_seconds: Number(ring) }),
    ...(isPerson && talk !== '' && { talk_seconds: Number(talk) }),
    ...(isPerson && { outcome }),
    ...(isPerson && outcome === 'callback' && callback_at !== '' && { callback_at: instantOf(callback_at) }),
  } as ScriptedCall
  const { answer: first, ...rest } = scripted
  const settings = Object.entries(rest as Record<string, string | number>).map(([name, value]) => `${name}=${value}`)
  return action(
    'setScript',
    { body: { phone, calls: [scripted], ...whose } },
    `svc simulate script ${quote(phone)} ${first}${settings.length > 0 ? `:${settings.join(',')}` : ''} --mode ${whose.mode}${organizationFlag(whose.organization_id)}`,
  )
}

export function LeadActions({ story: { lead, organization_id } }: { story: LeadStory }) {
  const { id, phone, livemode, campaign_id } = lead
  const mode = livemode ? ('live' as const) : ('test' as const)
  const whose = { mode, organization_id }
  const params = { id }
  return (
    <div class="row actions" role="group" aria-label="Actions">
      <ActionButton
        label="Take out"
        said="The lead was taken out of the queue."
        action={action('takeOutLead', { params }, `svc simulate leads take-out ${id}`)}
      />
      <ActionButton
        label="Put back"
        said="The lead is back in the queue."
        action={action('putBackLead', { params }, `svc simulate leads put-back ${id}`)}
      />
      <FormButton
        label="Set next call"
        fields={[
          {
            name: 'at',
            label: 'Next call at (UTC)',
            value: new Date(now.value + dayMs).toISOString().slice(0, 16),
            isRequired: true,
          },
        ]}
        build={({ at = '' }) =>
          action(
            'updateLeadInApp',
            { params, body: { next_dial_at: instantOf(at) } },
            `svc simulate leads dial-at ${id} ${instantOf(at)}`,
          )
        }
      />
      <FormButton
        label="Script calls"
        said="The next calls follow the script."
        fields={scriptFields(phone)}
        build={(values) => scriptOf(values, whose)}
      />
      <FormButton
        label="Inbound call"
        said="The lead calls in."
        fields={[
          {
            name: 'outcome',
            label: 'Outcome',
            type: 'select',
            options: [['', 'as it comes'], ...outcomes.map((one) => [one, words(one)] as const)],
          },
        ]}
        build={({ outcome = '' }) =>
          action(
            'receiveCall',
            {
              body: {
                from: phone,
                campaign_id,
                mode,
                ...(outcome !== '' && { outcome: outcome as (typeof outcomes)[number] }),
              },
            },
            `svc simulate inbound-call ${phone} --campaign ${campaign_id} --mode ${mode}${outcome === '' ? '' : ` --outcome ${outcome}`}`,
          )
        }
      />
      <FormButton
        label="STOP text"
        said="The text was received."
        fields={[{ name: 'body', label: 'Text', value: 'STOP', isRequired: true }]}
        build={({ body = '' }) =>
          action(
            'receiveText',
            { body: { from: phone, body, ...whose } },
            `svc simulate text ${phone} ${quote(body)} --mode ${mode}${organizationFlag(organization_id)}`,
          )
        }
      />
      <ActionButton
        label="Opt out"
        tone="danger"
        question={`${lead.name ?? phone} is never called again. The number goes on the Do Not Call list.`}
        said="The lead opted out."
        action={action('optOutLead', { params, query: whose, body: {} }, `svc leads opt-out ${id} --yes`)}
      />
    </div>
  )
}
