/**
 * Power cuts: a kill leaves what was written to the operating system, a power cut only what the disk was waited for. Every
 * write of a simulator at work is written down, and the disk is looked at as a cut at each moment may have left it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { RandomStream } from '../../../simulator/kernel/random.js'
import { StoreError } from '../../../simulator/storage/store-error.js'
import { Store } from '../../../simulator/storage/store.js'
import { preload } from '../../support/crashes/preload.js'
import { bundled } from '../../support/programs/bundled.js'
import { Disk, readDeeds, type Deed, type Kept } from '../../support/crashes/disk.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { longer } from '../../support/crashes/torture.js'
import { sql } from '../../../simulator/storage/sql.js'
import { tables } from '../../../simulator/storage/tables.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const workshop = mkdtempSync(join(tmpdir(), 'lead-calling-'))
afterAll(() => rmSync(workshop, { recursive: true }))
const { library, obstacle } = preload('write-log', workshop)

/** Where no file waits for a disk: the cuts are made in a model of one. */
const inMemory = existsSync('/dev/shm') ? '/dev/shm' : undefined

/** What a simulator with this sync setting wrote while it answered a number of requests. */
function recorded(synchronous: string, requests: number, ...push: 'push'[]): Deed[] {
  const folder = temporaryFolder()
  const [log, data] = [join(folder, 'log'), join(folder, 'world')]
  const program = [bundled('crashes/power-cut-program.ts'), data, synchronous, String(requests), ...push]
  const env = { ...process.env, LD_PRELOAD: library, WRITE_LOG: log, WRITE_LOG_FOLDER: data }
  const { status, stderr } = spawnSync(process.execPath, program, { cwd: root, env })
  if (status !== 0) throw new Error(`the recorded program failed: ${String(stderr)}`)
  return readDeeds(readFileSync(log))
}

/** The ids of the leads that were acknowledged. */
const acknowledgedIn = ({ text }: Extract<Deed, { kind: 'answer' }>): string[] =>
  text.startsWith('HTTP/1.1 201') ? (/"external_id":"([^"]+)"/.exec(text)?.slice(1) ?? []) : []

/** What of the writes that were not waited for survives: nothing, all of it, or some, torn in between. */
const waysOf = (chance: RandomStream): Record<string, Kept> => ({
  nothing: () => false,
  everything: () => true,
  half: () => chance.fraction() < 0.5,
  most: () => chance.fraction() < 0.97,
})

/** Consecutive writes are alike, so only this number of moments is checked. */
const shareOfWrites = 0.01

/** Cuts the power at every moment that is worth it, until what is left is not whole; the answer is how often, and what was lost. */
function cutEverywhere(deeds: readonly Deed[], chance: RandomStream): { cuts: number; loss: string | null } {
  const [disk, folder] = [new Disk(), join(temporaryFolder(inMemory), 'cut')]
  const acknowledged = new Set<string>()
  let cuts = 0
  for (const [n, deed] of deeds.entries()) {
    disk.do(deed)
    if (deed.kind === 'answer') acknowledgedIn(deed).forEach((id) => acknowledged.add(id))
    if (deed.kind === 'write' && chance.fraction() > shareOfWrites) continue
    for (const [kept, isKept] of Object.entries(waysOf(chance)).slice(0, disk.isCertain ? 1 : undefined)) {
      disk.cut(folder, isKept)
      cuts += 1
      if (isWhole(join(folder, 'world'), acknowledged)) continue
      return { cuts, loss: `after deed ${n}, ${deed.kind}, with ${kept} kept of what was not waited for` }
    }
  }
  return { cuts, loss: null }
}

/** Checks that everything acknowledged is there, and that every fact in the file is complete. */
function isWhole(path: string, acknowledged: ReadonlySet<string>): boolean {
  let store: Store
  try {
    store = Store.open(path)
  } catch (error) {
    if (error instanceof StoreError) return false
    throw error
  }
  const count = (from: string) => store.one<{ n: number }>(sql`SELECT count(*) AS n FROM ${from}`)?.n ?? 0
  try {
    const leads = new Set(
      store.all<{ id: string }>(sql`SELECT external_id AS id FROM ${tables.leads}`).map(({ id }) => id),
    )
    // Each open delivery has its next try on the agenda, or is on its way.
    const due = `SELECT 'delivery:' || n FROM deliveries WHERE status IN ('pending', 'failed') AND sending = 0`
    return (
      store.one<{ integrity_check: string }>(sql`PRAGMA integrity_check`)?.integrity_check === 'ok' &&
      [...acknowledged].every((id) => leads.has(id)) &&
      count(`events WHERE type IN ('lead.created', 'lead.queued')`) === 2 * leads.size &&
      count('idempotency') === leads.size &&
      count('deliveries') === count(`events WHERE type IN ('lead.created', 'call.started')`) &&
      count(`(${due} EXCEPT SELECT key FROM agenda)`) === 0
    )
  } finally {
    store.close()
  }
}

describe.skipIf(obstacle)(`after a power cut${obstacle ? `, not tried here: ${obstacle}` : ''}`, () => {
  const requests = 24 * longer

  it.each([
    ['left to itself', []],
    ['pushed all the while', ['push' as const]],
  ])(
    'everything acknowledged is there, whole, whenever the power went, time being %s',
    (_how, push) => {
      const deeds = recorded('as asked', requests, ...push)
      const answered = deeds.flatMap((deed) => (deed.kind === 'answer' ? acknowledgedIn(deed) : []))
      expect(new Set(answered).size).toBe(requests)
      const { loss, cuts } = cutEverywhere(deeds, new RandomStream(1, 'power cuts'))
      expect(cuts).toBeGreaterThan(3 * requests)
      expect(loss).toBeNull()
    },
    120_000 * longer,
  )

  it.each(['OFF', 'NORMAL'])(
    'this shows: a store that waits for the disk less, synchronous = %s, loses something',
    (how) => {
      expect(cutEverywhere(recorded(how, 6), new RandomStream(1, how)).loss).toContain('answer, with nothing kept')
    },
    60_000,
  )
})
