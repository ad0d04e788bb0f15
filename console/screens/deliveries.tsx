/** The deliveries of an endpoint, and one delivery with its request, its answer and its attempts. */
import type { DeliveryDetails } from '../../src/contract/control/records.js'
import type { Delivery } from '../../src/contract/deliveries.js'
import type { WebhookEndpoint } from '../../src/contract/webhook-endpoints.js'
import { deliveryStatuses } from '../../src/contract/enums.js'
import { action, quote } from '../api/action.js'
import { addressOf, goTo, place, scope } from '../api/place.js'
import { call } from '../api/request.js'
import { useResource } from '../api/resource.js'
import { ActionButton } from '../components/action-button.js'
import { Copy } from '../components/copy.js'
import { Empty, Json, Link, Loaded, Outside, Panel, Tag, words } from '../components/parts.js'
import { VerifySnippet } from '../components/verify-snippet.js'
import { Relative, Time } from '../components/time.js'
import { Choice } from './leads.js'

type DeliveryStatus = (typeof deliveryStatuses)[number]

const tones: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'blue',
  sent: 'green',
  failed: 'amber',
  gave_up: 'red',
  skipped_paused: 'plain',
}

export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { query } = place.value
  const status = (query.get('status') ?? undefined) as DeliveryStatus | undefined
  const after = query.get('after') ?? undefined
  const asked = { ...scope.value, status, starting_after: after, limit: 50 }
  const page = useResource(`deliveries ${endpoint.id} ${JSON.stringify(asked)}`, (signal) =>
    call('listDeliveries', { params: { id: endpoint.id }, query: asked }, signal),
  )
  const choose = (name: string, value: string) =>
    goTo(addressOf({ set: { [name]: value, after: null, endpoint: endpoint.id } }), { replace: true })
  return (
    <Panel
      title="Deliveries"
      side={
        <Choice
          name="status"
          label="Status of deliveries"
          all="Every status"
          value={status}
          options={deliveryStatuses.map((one) => [one, words(one)])}
          onChoose={choose}
        />
      }
    >
      <Loaded of={page}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title="Nothing was sent yet.">
              <p>Push the clock until an event happens, or send a sample.</p>
            </Empty>
          ) : (
            <>
              <ul class="rows aligned deliveries">
                {data.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} />
                ))}
              </ul>
              <div class="row pager">
                {after !== undefined && <Link set={{ after: null }}>First page</Link>}
                {meta.next_cursor !== null && (
                  <Link set={{ after: meta.next_cursor, endpoint: endpoint.id }}>Next page</Link>
                )}
              </div>
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { id, status, event_type, response_status, attempts, created, next_attempt_at, resent_from } = delivery
  return (
    <li>
      <Tag tone={tones[status]}>{words(status)}</Tag>
      <span class="break">
        <Link screen="webhooks" id={id} class="strong">
          {event_type}
        </Link>{' '}
        <span class="quiet">
          {response_status === null ? (attempts === 0 ? '' : 'no answer') : `answer ${response_status}`}
          {attempts > 1 && `, ${attempts} attempts`}
          {resent_from !== null && ', resent'}
          {next_attempt_at !== null && attempts > 0 && (
            <>
              , again <Relative at={next_attempt_at} />
            </>
          )}
        </span>
      </span>
      <Relative at={created} />
    </li>
  )
}

export function DeliveryView({ id }: { id: string }) {
  const details = useResource(
    `delivery ${id}`,
    async (signal) => (await call('getDelivery', { params: { id } }, signal)).data,
  )
  return <Loaded of={details}>{(delivery) => <DeliveryBody delivery={delivery} />}</Loaded>
}

function DeliveryBody({ delivery }: { delivery: DeliveryDetails }) {
  const { id, endpoint_id, event_type, status, url, hint, request, response_status, response_body, error, fault } =
    delivery
  const resend = action(
    'resendDelivery',
    { params: { id: endpoint_id, delivery_id: id }, query: scope.value },
    `svc webhooks resend ${endpoint_id} ${id}`,
    ({ data }) => goTo(addressOf({ screen: 'webhooks', id: data.id })),
  )
  return (
    <>
      <Panel
        title={`Delivery of ${event_type}`}
        side={
          <div class="row">
            <ActionButton label="Resend" tone="main" said="The event is on its way again." action={resend} />
            {request && <Copy label="Copy as curl" text={curlOf(url, request)} />}
            <VerifySnippet />
          </div>
        }
      >
        <p>
          <Link screen="webhooks" set={{ endpoint: endpoint_id }}>
            All deliveries
          </Link>
        </p>
        <p>
          <Tag tone={tones[status]}>{words(status)}</Tag> <Outside url={url} />{' '}
          {fault !== null && <Tag tone="amber">fault: {words(fault)}</Tag>}
        </p>
        {hint !== null && <p class="hint">{hint}</p>}
        <Attempts delivery={delivery} />
      </Panel>
      <Panel
        title="Answer"
        side={<span class="quiet">{response_status ?? (error === null ? 'none yet' : words(error))}</span>}
      >
        {response_body === null || response_body === '' ? (
          <p class="quiet">It has no body.</p>
        ) : (
          <Json label="Body of the answer" value={response_body} />
        )}
      </Panel>
      {request && (
        <Panel title="Request" side={<span class="quiet">as it would be sent now</span>}>
          <dl class="headers">
            {Object.entries(request.headers).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Json label="Body of the request" value={indented(request.body)} />
        </Panel>
      )}
    </>
  )
}

function Attempts({ delivery: { tries, retries_at } }: { delivery: DeliveryDetails }) {
  return (
    <ol class="tries" aria-label="Attempts">
      {tries.map(({ number, at, response_status, error, fault, duration_ms }) => {
        const isGood = response_status !== null && response_status >= 200 && response_status < 300
        return (
          <li key={number} class={isGood ? 'green' : 'red'}>
            <strong class="number">{number}</strong>
            <span>
              {response_status ?? words(error ?? 'no answer')}
              {fault !== null && `, ${words(fault)}`}
            </span>
            <span class="quiet number">{duration_ms} ms</span>
            <Time at={at} />
          </li>
        )
      })}
      {retries_at.map((at, i) => (
        <li key={at} class="planned">
          <strong class="number">{tries.length + i + 1}</strong>
          <span class="quiet">planned</span>
          <Relative at={at} />
        </li>
      ))}
    </ol>
  )
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function curlOf(url: string, { headers, body }: NonNullable<DeliveryDetails['request']>): string {
  const lines = Object.entries(headers).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`)
  return [`curl -X POST ${quote(url)}`, ...lines, `  --data-raw ${quote(body)}`].join(' \\\n')
}
