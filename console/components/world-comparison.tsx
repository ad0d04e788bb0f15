/** What differs between two worlds: the first event, and the leads, calls and deliveries that differ. */
import type { Difference, WorldDiff } from '../../src/contract/control/worlds.js'
import { nameOfWorld } from '../api/world.js'
import { count, Tag } from './parts.js'

export interface Compared {
  a: string
  b: string
  diff: WorldDiff
}

/** Objects of each kind that are shown. */
const shownMost = 20

export function Comparison({ compared: { a, b, diff }, onClose }: { compared: Compared; onClose: () => void }) {
  const kinds = [
    ['leads', diff.leads],
    ['calls', diff.calls],
    ['deliveries', diff.deliveries],
  ] as const
  const first = diff.first_event
  const typeOf = (event: Record<string, unknown> | null) => (event === null ? 'no event' : text(event['type']))
  return (
    <section class="card" aria-label="Comparison">
      <h3>
        {nameOfWorld(a)} and {nameOfWorld(b)}{' '}
        <Tag tone={diff.identical ? 'green' : 'amber'}>{diff.identical ? 'identical' : 'they differ'}</Tag>
      </h3>
      {first && (
        <p class="quiet">
          The first difference is event {count(first.index + 1)}: {typeOf(first.a)} and {typeOf(first.b)}.
        </p>
      )}
      {kinds.map(([kind, all]) => all.length > 0 && <Differences key={kind} kind={kind} all={all} a={a} b={b} />)}
      <div class="row">
        <button type="button" class="small" onClick={onClose}>
          Close the comparison
        </button>
      </div>
    </section>
  )
}

interface DifferencesProps {
  kind: string
  all: readonly Difference[]
  a: string
  b: string
}

function Differences({ kind, all, a, b }: DifferencesProps) {
  const rows = all.slice(0, shownMost).flatMap((one) => rowsOf(one).map((row) => ({ of: one.key, row })))
  return (
    <details>
      <summary>
        {count(all.length)} {kind} differ
      </summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={`Differing ${kind}`}>
        <table>
          <thead>
            <tr>
              {['Of', 'Field', nameOfWorld(a), nameOfWorld(b)].map((name, i) => (
                <th key={i} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ of, row }) => (
              <tr key={`${of} ${row[0]}`}>
                <td>{of}</td>
                {row.map((text, i) => (
                  <td key={i}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all.length > shownMost && <p class="quiet">The first {shownMost} are shown.</p>}
    </details>
  )
}

const text = (value: unknown): string =>
  value === undefined || value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)

/** The fields that differ. One row for an object that only one world has. */
function rowsOf({ a, b }: Difference): (readonly [field: string, a: string, b: string])[] {
  if (!a || !b) return [['all', a ? 'exists' : 'none', b ? 'exists' : 'none']]
  const fields = Object.keys(a).filter((name) => name !== 'id')
  return fields.map((name) => [name.replaceAll('_', ' '), text(a[name]), text(b[name])])
}
