/** World: campaigns with their hours, keys, organizations and members, the Do Not Call list, worlds, snapshots, and the reset. */
import type { Organization } from '../../src/contract/control/world.js'
import { action, quote } from '../api/action.js'
import { mode, scope } from '../api/place.js'
import { call } from '../api/request.js'
import { useResource } from '../api/resource.js'
import { organization, organizationFlag, organizations } from '../api/world.js'
import { ActionButton, FormButton } from '../components/action-button.js'
import { CampaignCard } from '../components/campaign-card.js'
import { Copy } from '../components/copy.js'
import { Empty, Link, Loaded, Panel, Tag, words } from '../components/parts.js'
import { Worlds } from '../components/worlds.js'
import { Relative, Time } from '../components/time.js'

export function World() {
  const own = organization.value
  if (!own) return <p class="quiet">Reading...</p>
  return (
    <div class="columns">
      <div class="stack">
        <Campaigns own={own} />
        <Worlds />
        <Dnc />
      </div>
      <div class="stack">
        <Keys own={own} />
        <Organizations own={own} />
        <Snapshots />
      </div>
    </div>
  )
}

function Campaigns({ own }: { own: Organization }) {
  const create = (
    <FormButton
      label="Add campaign"
      said="The campaign was added."
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'lines', label: 'Lines', type: 'number', value: '5' },
        {
          name: 'consent',
          label: 'Consent',
          type: 'select',
          options: [
            ['no', 'not required'],
            ['yes', 'required for leads of the API'],
          ],
        },
      ]}
      build={({ name = '', lines = '5', consent = 'no' }) =>
        action(
          'createCampaign',
          { body: { organization_id: own.id, name, lines: Number(lines), consent_required: consent === 'yes' } },
          `svc simulate campaign --name ${quote(name)} --lines ${lines}${consent === 'yes' ? '' : ' --no-consent-required'}${organizationFlag(own.id)}`,
        )
      }
    />
  )
  return (
    <Panel title="Campaigns" side={create}>
      {own.campaigns.map((campaign) => (
        <CampaignCard key={campaign.id} campaign={campaign} />
      ))}
    </Panel>
  )
}

function Keys({ own }: { own: Organization }) {
  const create = (
    <FormButton
      label="Add key"
      said="The key was added."
      fields={[
        { name: 'name', label: 'Name', value: 'Another key' },
        {
          name: 'mode',
          label: 'Mode',
          type: 'select',
          options: [
            ['test', 'test'],
            ['live', 'live'],
          ],
          value: mode.value,
        },
      ]}
      build={({ name = '', mode: chosen = 'test' }) =>
        action(
          'createKey',
          { body: { organization_id: own.id, name, mode: chosen === 'live' ? 'live' : 'test' } },
          `svc simulate key --name ${quote(name)} --mode ${chosen}${organizationFlag(own.id)}`,
        )
      }
    />
  )
  return (
    <Panel title="API keys" side={create}>
      <ul class="rows">
        {own.keys.map((key) => (
          <li key={key.key_id}>
            <Tag tone={key.mode === 'live' ? 'blue' : 'amber'}>{key.mode}</Tag>
            <span class="break">
              <strong>{key.name}</strong> <span class="quiet">{key.key_id}</span>{' '}
              {key.status !== 'active' && <Tag tone="red">{key.status}</Tag>}
            </span>
            <span class="row">
              <Copy label="Copy secret" text={key.secret} />
              <ActionButton
                label={key.status === 'active' ? 'Revoke' : 'Activate'}
                tone="small"
                said="The key was changed."
                {...(key.status === 'active' && {
                  question: `Requests with the key ${key.name} are refused from now on.`,
                })}
                action={action(
                  'updateKey',
                  { params: { key_id: key.key_id }, body: { status: key.status === 'active' ? 'revoked' : 'active' } },
                  `svc simulate key ${key.key_id} --status ${key.status === 'active' ? 'revoked' : 'active'}`,
                )}
              />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Organizations({ own }: { own: Organization }) {
  const create = (
    <FormButton
      label="Add organization"
      said="The organization was added."
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'time_zone', label: 'Time zone', value: 'America/New_York' },
      ]}
      build={({ name = '', time_zone = '' }) =>
        action(
          'createOrganization',
          { body: { name, ...(time_zone !== '' && { time_zone }) } },
          `svc simulate organization --name ${quote(name)} --time-zone ${quote(time_zone)}`,
        )
      }
    />
  )
  return (
    <Panel title="Organizations" side={create}>
      <ul class="rows">
        {organizations.value.map((one) => (
          <li key={one.id}>
            <Tag tone={one.id === own.id ? 'blue' : 'plain'}>{one.id === own.id ? 'shown' : 'other'}</Tag>
            <span>
              <Link screen="world" set={{ org: one.id }} class="strong">
                {one.name}
              </Link>{' '}
              <span class="quiet">
                {one.time_zone}, ${one.rate_usd_per_minute} a minute
              </span>
            </span>
          </li>
        ))}
      </ul>
      <h3>Members of {own.name}</h3>
      <ul class="rows">
        {own.members.map((member) => (
          <li key={member.id}>
            <Tag>{words(member.role)}</Tag>
            <span>{member.name}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Dnc() {
  const query = { ...scope.value, limit: 50 }
  const list = useResource(`dnc ${JSON.stringify(query)}`, (signal) => call('listDnc', { query }, signal))
  const add = (
    <FormButton
      label="Add number"
      said="The number is on the list."
      fields={[{ name: 'phone', label: 'Phone', isRequired: true }]}
      build={({ phone = '' }) =>
        action(
          'addDncInApp',
          { body: { phones: [phone], source: 'manual', ...scope.peek() } },
          `svc simulate dnc ${quote(phone)} --mode ${mode.value}${organizationFlag(organization.peek()?.id)}`,
        )
      }
    />
  )
  return (
    <Panel title="Do Not Call list" side={add}>
      <Loaded of={list}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title="No number is on the list." />
          ) : (
            <>
              <ul class="rows aligned">
                {data.map((entry) => (
                  <li key={entry.id}>
                    <Tag tone="red">{entry.source}</Tag>
                    <span>{entry.phone}</span>
                    <span class="row">
                      <Relative at={entry.createdAt} />
                      <ActionButton
                        label="Remove"
                        tone="small"
                        said="The number was removed from the list."
                        action={action(
                          'removeDnc',
                          { params: { id: entry.id }, query: scope.value },
                          `svc dnc remove ${entry.id} --yes`,
                        )}
                      />
                    </span>
                  </li>
                ))}
              </ul>
              {meta.has_more && <p class="quiet">The newest 50 are shown.</p>}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Snapshots() {
  const list = useResource('snapshots', async (signal) => (await call('listSnapshots', {}, signal)).data)
  const save = (
    <FormButton
      label="Save snapshot"
      said="The snapshot was saved."
      fields={[{ name: 'name', label: 'Name', value: 'before', isRequired: true }]}
      build={({ name = '' }) =>
        action('createSnapshot', { body: { name } }, `svc simulate snapshot save ${quote(name)}`)
      }
    />
  )
  return (
    <Panel title="Snapshots" side={save}>
      <Loaded of={list}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="There is no snapshot.">
              <p>A snapshot keeps the whole state, so that an experiment can be repeated.</p>
            </Empty>
          ) : (
            <ul class="rows">
              {all.map(({ name, now }) => (
                <li key={name}>
                  <strong class="break">{name}</strong>
                  <Time at={now} />
                  <span class="row">
                    <ActionButton
                      label="Restore"
                      tone="small"
                      question={`The current state is lost. The simulator goes back to the snapshot ${name}.`}
                      said="The snapshot was restored."
                      action={action(
                        'restoreSnapshot',
                        { params: { name } },
                        `svc simulate snapshot restore ${quote(name)} --yes`,
                      )}
                    />
                    <ActionButton
                      label="Delete snapshot"
                      tone="small"
                      question={`The snapshot ${name} is deleted.`}
                      said="The snapshot was deleted."
                      action={action(
                        'deleteSnapshot',
                        { params: { name } },
                        `svc simulate snapshot delete ${quote(name)} --yes`,
                      )}
                    />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <ActionButton
        label="Reset"
        tone="danger"
        question="Everything since the start is lost: leads, calls, events, webhook endpoints. Snapshots stay."
        said="The world is as it was at the start."
        action={action('reset', { body: {} }, 'svc simulate reset --yes')}
      />
    </Panel>
  )
}
