/** Webhooks: the endpoints, and the deliveries of the chosen one. */
import type { WebhookEndpoint } from '../../src/contract/webhook-endpoints.js'
import { eventTypes } from '../../src/contract/enums.js'
import { action, quote } from '../api/action.js'
import { place, scope } from '../api/place.js'
import { call } from '../api/request.js'
import { useResource } from '../api/resource.js'
import { ActionButton, FormButton } from '../components/action-button.js'
import { Empty, Link, Loaded, Panel, Tag } from '../components/parts.js'
import { Relative } from '../components/time.js'
import { Deliveries, DeliveryView } from './deliveries.js'

function AddEndpoint() {
  return (
    <FormButton
      label="Add endpoint"
      tone="main"
      said="The endpoint was added."
      fields={[
        {
          name: 'url',
          label: 'URL',
          value: 'http://127.0.0.1:3000/hooks',
          isRequired: true,
          hint: 'Addresses on this machine need svc simulate --allow-local-webhooks.',
        },
        {
          name: 'events',
          label: 'Events',
          type: 'checks',
          options: eventTypes.map((type) => [type, type]),
          value: 'call.completed,lead.interested',
        },
      ]}
      build={({ url = '', events = '' }) => {
        const list = events.split(',').filter((one) => one !== '') as (typeof eventTypes)[number][]
        return action(
          'createWebhookEndpoint',
          { query: scope.peek(), body: { url, events: list } },
          `svc webhooks create --url ${quote(url)} --event ${list.join(',')}`,
        )
      }}
    />
  )
}

export function Webhooks() {
  const query = scope.value
  const endpoints = useResource(
    `endpoints ${JSON.stringify(query)}`,
    async (signal) => (await call('listWebhookEndpoints', { query }, signal)).data,
  )
  const { id, query: shown } = place.value
  return (
    <Loaded of={endpoints}>
      {(all) => {
        const chosen = all.find((one) => one.id === shown.get('endpoint')) ?? all[0]
        if (id === null && !chosen) {
          return (
            <Panel title="Endpoints">
              <Empty title="There is no webhook endpoint yet.">
                <p>
                  Add the address of a receiver. Events that happen after that are sent to it, signed, with retries.
                </p>
                <AddEndpoint />
              </Empty>
            </Panel>
          )
        }
        return (
          <div class={id === null ? 'columns side-first' : 'columns side-first item'}>
            <div class="stack">
              <Panel title="Endpoints" side={<AddEndpoint />}>
                <ul class="cards">
                  {all.map((endpoint) => (
                    <EndpointCard
                      key={endpoint.id}
                      endpoint={endpoint}
                      isChosen={endpoint.id === chosen?.id && id === null}
                    />
                  ))}
                </ul>
              </Panel>
            </div>
            <div class="stack">
              {id !== null ? <DeliveryView id={id} /> : chosen && <Deliveries endpoint={chosen} />}
            </div>
          </div>
        )
      }}
    </Loaded>
  )
}

function EndpointCard({ endpoint, isChosen }: { endpoint: WebhookEndpoint; isChosen: boolean }) {
  const { id, url, events, status, failing_since, last_success_at } = endpoint
  const params = { id }
  const query = scope.value
  return (
    <li class={isChosen ? 'card chosen' : 'card'}>
      <Link screen="webhooks" set={{ endpoint: id }} class="strong break">
        {url}
      </Link>
      <p>
        <Tag tone={status === 'paused' ? 'red' : failing_since === null ? 'green' : 'amber'}>
          {status === 'paused' ? 'paused' : failing_since === null ? 'active' : 'failing'}
        </Tag>{' '}
        <span class="quiet">
          {last_success_at === null ? (
            'no success yet'
          ) : (
            <>
              last success <Relative at={last_success_at} />
            </>
          )}
        </span>
      </p>
      <p class="quiet">{events.join(', ')}</p>
      <div class="row">
        <FormButton
          label="Send sample"
          tone="small"
          said="A sample event is on its way."
          fields={[
            {
              name: 'type',
              label: 'Event',
              type: 'select',
              options: eventTypes.map((type) => [type, type]),
              value: events[0] ?? 'call.completed',
            },
          ]}
          build={({ type = 'call.completed' }) =>
            action(
              'testWebhookEndpoint',
              { params, query, body: { type: type as (typeof eventTypes)[number] } },
              `svc webhooks test ${id} --event ${type}`,
            )
          }
        />
        {status === 'paused' && (
          <ActionButton
            label="Resume endpoint"
            tone="small"
            said="The endpoint is active again."
            action={action(
              'resumeWebhookEndpoint',
              { params, query, body: { resend_skipped: true } },
              `svc webhooks resume ${id} --resend-skipped`,
            )}
          />
        )}
        <ActionButton
          label="Delete endpoint"
          tone="small"
          question={`The endpoint ${url} and its deliveries are deleted.`}
          said="The endpoint was deleted."
          action={action('deleteWebhookEndpoint', { params, query }, `svc webhooks delete ${id} --yes`)}
        />
      </div>
    </li>
  )
}
