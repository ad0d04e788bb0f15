/** Requests: the API request log, and the faults that change the next requests and webhooks. */
import type { Fault, NewFault } from '../../src/contract/control/faults.js'
import type { LoggedRequest } from '../../src/contract/control/records.js'
import { webhookFaults } from '../../src/contract/enums.js'
import { action, flagsOf, quote } from '../api/action.js'
import { addressOf, goTo, place } from '../api/place.js'
import { base, call } from '../api/request.js'
import { useResource } from '../api/resource.js'
import { organizations } from '../api/world.js'
import { ActionButton, FormButton, type Values } from '../components/action-button.js'
import { Copy } from '../components/copy.js'
import { Empty, Json, Loaded, Panel, Tag } from '../components/parts.js'
import { SearchBox } from '../components/search-box.js'
import { Relative, Time } from '../components/time.js'
import { Choice } from './leads.js'

const apiPath = '/api/v1/external'

const kinds = [
  ['all', 'Every answer'],
  ['ok', 'Successes'],
  ['error', 'Errors'],
  ['fault', 'With a fault'],
] as const

export function Requests() {
  return (
    <div class="columns">
      <div class="stack">
        <Log />
      </div>
      <div class="stack">
        <Faults />
      </div>
    </div>
  )
}

function Log() {
  const { query } = place.value
  const path = query.get('path') ?? undefined
  const key_id = query.get('key') ?? undefined
  const kind = query.get('kind') ?? ''
  const asked = { limit: 200, path, key_id }
  const log = useResource(
    `requests ${JSON.stringify(asked)}`,
    async (signal) => (await call('listRequests', { query: asked }, signal)).data,
  )
  const choose = (name: string, value: string) => goTo(addressOf({ set: { [name]: value } }), { replace: true })
  const keys = organizations.value.flatMap((one) => one.keys)
  return (
    <Panel title="API requests" side={<span class="quiet">the last 200</span>}>
      <form class="toolbar" role="search" onSubmit={(event) => event.preventDefault()}>
        <SearchBox
          label="Path, with globs such as /leads/**"
          placeholder="/leads/**"
          value={path ?? ''}
          onSearch={(text) => choose('path', text)}
        />
        <Choice
          name="kind"
          label="Kind of answer"
          all="Every answer"
          value={kind}
          options={kinds.slice(1)}
          onChoose={choose}
        />
        <Choice
          name="key"
          label="Key"
          all="Every key"
          value={key_id}
          options={keys.map((key) => [key.key_id, `${key.name} (${key.mode})`])}
          onChoose={choose}
        />
      </form>
      <Loaded of={log}>
        {(all) => {
          const fitting = all.filter((one) => fits(one, kind))
          return fitting.length === 0 ? (
            <Empty title={all.length === 0 ? 'No API request was received yet.' : 'No request fits these filters.'}>
              <p>Send one: svc leads list, or any HTTP client with a key of the World screen.</p>
            </Empty>
          ) : (
            <div class="requests">
              {fitting.map((one) => (
                <Request key={one.id} request={one} />
              ))}
            </div>
          )
        }}
      </Loaded>
    </Panel>
  )
}

function fits({ status, fault }: LoggedRequest, kind: string): boolean {
  if (kind === 'ok') return status !== null && status < 400
  if (kind === 'error') return status === null || status >= 400
  return kind === 'fault' ? fault !== null : true
}

const toneOf = (status: number | null): string =>
  status === null || status >= 500 ? 'red' : status >= 400 ? 'amber' : 'green'

function Request({ request }: { request: LoggedRequest }) {
  const { at, method, path, status, duration_ms, error_code, fault, key_id, request_body, response_body, id } = request
  return (
    <details class="request">
      <summary>
        <Tag tone={toneOf(status)}>{status ?? 'cut off'}</Tag>
        <span class="break">
          <span class="quiet">{method}</span> <strong>{path}</strong>{' '}
          {error_code !== null && <code class="quiet">{error_code}</code>}{' '}
          {fault !== null && <Tag tone="amber">fault: {fault}</Tag>}
        </span>
        <span class="number">{duration_ms.toFixed(1)} ms</span>
        <Relative at={at} />
      </summary>
      <p class="quiet">
        <Time at={at} /> · {id} · key {key_id ?? 'none'}
      </p>
      <div class="row">
        <Copy label="Copy as curl" text={curlOf(request)} />
        <Copy label="Copy as svc" text={svcOf(request)} />
      </div>
      {request_body !== null && <Json label="Body of the request" value={request_body} />}
      {response_body !== null && <Json label="Body of the answer" value={response_body} />}
    </details>
  )
}

const bodyOf = ({ request_body: body }: LoggedRequest): string | null =>
  body === null || body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)

function curlOf(request: LoggedRequest): string {
  const body = bodyOf(request)
  const sent = body === null ? '' : ` -H 'Content-Type: application/json' -d ${quote(body)}`
  return `curl -X ${request.method} ${quote(location.origin + base + apiPath + request.path)} -H "Authorization: Bearer $SVC_SECRET"${sent}`
}

function svcOf(request: LoggedRequest): string {
  const body = bodyOf(request)
  return `${body === null ? '' : `echo ${quote(body)} | `}svc api -X ${request.method} ${quote(request.path)}${body === null ? '' : ' --input -'}${flagsOf('svc api')}`
}

const requestEffects = [
  ['503', 'answer 503'],
  ['429', 'answer 429'],
  ['500', 'answer 500'],
  ['drop', 'cut the connection'],
  ['latency', 'answer 2 seconds later'],
] as const

function faultOf({
  to = 'requests',
  method = '',
  path = '',
  effect = '503',
  webhook = 'duplicate',
  event = '',
  count = '1',
}: Values) {
  const many = Math.max(1, Math.floor(Number(count)) || 1)
  if (to === 'webhooks') {
    const value = webhook === 'duplicate' ? 1 : webhook === 'delay' ? '5m' : webhook === 'stale' ? '10m' : true
    const body = { to, count: many, [webhook]: value, ...(event !== '' && { event }) } as NewFault
    const flag = `--${webhook.replaceAll('_', '-')}${value === true ? '' : ` ${value}`}`
    return action(
      'addFault',
      { body },
      `svc simulate fault --webhooks ${flag} --count ${many}${event === '' ? '' : ` --event ${quote(event)}`}`,
    )
  }
  const what =
    effect === 'drop' ? { drop: true } : effect === 'latency' ? { latency_ms: 2_000 } : { status: Number(effect) }
  const flag = effect === 'drop' ? '--drop' : effect === 'latency' ? '--latency 2s' : `--status ${effect}`
  const body = { count: many, ...what, ...(method !== '' && { method }), ...(path !== '' && { path }) } as NewFault
  return action(
    'addFault',
    { body },
    `svc simulate fault ${flag} --count ${many}${method === '' ? '' : ` --method ${method}`}${path === '' ? '' : ` --path ${quote(path)}`}`,
  )
}

function Faults() {
  const faults = useResource('faults', async (signal) => (await call('listFaults', {}, signal)).data)
  const add = (
    <FormButton
      label="Add fault"
      tone="main"
      said="The fault waits for its request."
      fields={[
        {
          name: 'to',
          label: 'Affects',
          type: 'select',
          options: [
            ['requests', 'API requests'],
            ['webhooks', 'webhook attempts'],
          ],
        },
        { name: 'effect', label: 'What requests get', type: 'select', options: requestEffects },
        { name: 'path', label: 'Path of requests', hint: 'A glob such as /leads/**. Empty: any path.' },
        {
          name: 'method',
          label: 'Method',
          type: 'select',
          options: [['', 'any'], ...['GET', 'POST', 'PATCH', 'DELETE'].map((one) => [one, one] as const)],
        },
        {
          name: 'webhook',
          label: 'What webhooks get',
          type: 'select',
          options: webhookFaults.map((one) => [one, one.replaceAll('_', ' ')]),
        },
        { name: 'event', label: 'Event of webhooks', hint: 'A glob such as call.*. Empty: any event.' },
        { name: 'count', label: 'How many', type: 'number', value: '1' },
      ]}
      build={faultOf}
    />
  )
  return (
    <Panel title="Faults" side={add}>
      <Loaded of={faults}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No fault waits.">
              <p>A fault changes the next matching requests or webhooks: an error, a delay, a lost connection.</p>
            </Empty>
          ) : (
            <ul class="rows">
              {all.map((fault) => (
                <FaultRow key={fault.id} fault={fault} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function FaultRow({ fault }: { fault: Fault }) {
  const { id, count, to, ...rest } = fault
  const parts = Object.entries(rest).map(([name, value]) => (value === true ? name : `${name} ${String(value)}`))
  return (
    <li>
      <Tag tone="amber">{count} left</Tag>
      <span class="break">
        {to === 'webhooks' ? 'Webhooks' : 'Requests'}: {parts.join(', ').replaceAll('_', ' ')}
      </span>
      <ActionButton
        label="Remove"
        tone="small"
        said="The fault was removed."
        action={action('removeFault', { params: { id } }, `svc simulate fault --remove ${id}`)}
      />
    </li>
  )
}
