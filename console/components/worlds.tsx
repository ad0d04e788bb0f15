/** The worlds of the simulator: open, create, fork, compare and delete them. */
import { useEffect, useState } from 'preact/hooks'
import type { WorldInList } from '../../src/contract/control/worlds.js'
import { action, quote } from '../api/action.js'
import { changes } from '../api/pulse.js'
import { worldId } from '../api/request.js'
import { consoleOf, nameOfWorld, readWorlds, worlds } from '../api/world.js'
import { ActionButton, FormButton } from './action-button.js'
import { count, Panel, Tag } from './parts.js'
import { Comparison, type Compared } from './world-comparison.js'

const shownMost = 50

/** A world that is kept until it is deleted, because a person looks at it. */
const idle = { idle_ttl_seconds: null }

function CreateWorld() {
  return (
    <FormButton
      label="Add world"
      said="The world was added."
      intro={<p class="quiet">It begins as the main world began, with its own data and its own clock.</p>}
      fields={[{ name: 'name', label: 'Name', value: 'experiment' }]}
      build={({ name = '' }) =>
        action(
          'createWorld',
          { body: { name, ...idle } },
          `svc simulate worlds create --name ${quote(name)} --idle-ttl never`,
          () => void readWorlds(),
        )
      }
    />
  )
}

function ForkWorld({ id }: { id: string }) {
  return (
    <FormButton
      label="Fork"
      title={`Fork ${nameOfWorld(id)}`}
      tone="small"
      said="The fork was added."
      intro={<p class="quiet">A copy with the same leads, calls and time. What happens in it stays in it.</p>}
      fields={[
        { name: 'name', label: 'Name', value: `fork of ${nameOfWorld(id)}` },
        {
          name: 'endpoints',
          label: 'Webhook endpoints',
          type: 'select',
          options: [
            ['pause', 'paused in the fork'],
            ['keep', 'as they are'],
          ],
        },
      ]}
      build={({ name = '', endpoints = 'pause' }) => {
        const keeps = endpoints === 'keep'
        return action(
          'createWorld',
          { body: { name, from: id, ...(keeps && { endpoints: 'keep' as const }), ...idle } },
          `svc simulate worlds create --from ${id} --name ${quote(name)}${keeps ? ' --keep-endpoints' : ''} --idle-ttl never`,
          () => void readWorlds(),
        )
      }}
    />
  )
}

interface CompareProps {
  id: string
  others: readonly WorldInList[]
  onCompared: (compared: Compared) => void
}

function CompareWorld({ id, others, onCompared }: CompareProps) {
  const options = others.map((one) => [one.id, nameOfWorld(one.id)] as const)
  return (
    <FormButton
      label="Compare"
      title={`Compare ${nameOfWorld(id)} with another world`}
      tone="small"
      fields={[{ name: 'b', label: 'With', type: 'select', options }]}
      build={({ b = '' }) =>
        action('diffWorlds', { params: { a: id, b } }, `svc simulate worlds diff ${id} ${b}`, ({ data }) =>
          onCompared({ a: id, b, diff: data }),
        )
      }
    />
  )
}

export function Worlds() {
  const [compared, setCompared] = useState<Compared | null>(null)
  useEffect(() => void readWorlds(), [changes.value])
  const all = worlds.value
  return (
    <Panel title="Worlds" side={<CreateWorld />}>
      <p class="quiet">Isolated simulators in this one. Fork a world to try something, then compare the two.</p>
      <ul class="rows">
        {all.slice(0, shownMost).map((world) => (
          <WorldRow
            key={world.id}
            world={world}
            others={all.filter(({ id }) => id !== world.id)}
            onCompared={setCompared}
          />
        ))}
      </ul>
      {all.length > shownMost && <p class="quiet">{count(all.length - shownMost)} more worlds are not shown.</p>}
      {compared && <Comparison compared={compared} onClose={() => setCompared(null)} />}
    </Panel>
  )
}

function WorldRow({ world, others, onCompared }: Omit<CompareProps, 'id'> & { world: WorldInList }) {
  const { id, name, leads, calls } = world
  const isShown = id === worldId
  return (
    <li>
      {isShown && <Tag tone="blue">shown</Tag>}
      <span class="break">
        {isShown ? (
          <strong>{name ?? id}</strong>
        ) : (
          <a class="strong" href={consoleOf(id, 'world')}>
            {name ?? id}
          </a>
        )}{' '}
        <span class="quiet">
          {name !== null && id !== 'main' && `${id}, `}
          {count(leads)} leads, {count(calls)} calls
        </span>
      </span>
      <span class="row">
        <ForkWorld id={id} />
        {others.length > 0 && <CompareWorld id={id} others={others} onCompared={onCompared} />}
        {id !== 'main' && !isShown && (
          <ActionButton
            label="Delete world"
            tone="small"
            question={`The world ${name ?? id} and everything in it is deleted.`}
            said="The world was deleted."
            action={action(
              'deleteWorld',
              { params: { id } },
              `svc simulate worlds delete ${id} --yes`,
              () => void readWorlds(),
            )}
          />
        )}
      </span>
    </li>
  )
}
