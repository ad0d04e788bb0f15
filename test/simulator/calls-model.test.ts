/** Calls of two tenants against a plain model: reads about a lead, a number or a key are never stale. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Ids } from '../../simulator/kernel/ids.js'
import { instant } from '../../simulator/kernel/instant.js'
import { Calls, type Call } from '../../simulator/model/call.js'
import { inMemory, Store } from '../../simulator/storage/store.js'

type Deed =
  /** Campaign 0 is called by the number. */
  | { does: 'add'; lead: number; campaign: number }
  | { does: 'change'; which: number; ends: boolean }
  | { does: 'ask'; lead: number; campaign: number }
  | { does: 'look' }
  | { does: 'attempt' | 'rehearse'; fails: boolean; deeds: Deed[] }

const lead = fc.integer({ min: 1, max: 6 })
const campaign = fc.nat(2)
const plain: readonly fc.Arbitrary<Deed>[] = [
  fc.record({ does: fc.constant<'add'>('add'), lead, campaign }),
  fc.record({ does: fc.constant<'change'>('change'), which: fc.nat(50), ends: fc.boolean() }),
  fc.record({ does: fc.constant<'ask'>('ask'), lead, campaign: fc.integer({ min: 1, max: 2 }) }),
  fc.constant<Deed>({ does: 'look' }),
]
const partOf = (deeds: fc.Arbitrary<Deed[]>): fc.Arbitrary<Deed> =>
  fc.record({ does: fc.constantFrom<'attempt' | 'rehearse'>('attempt', 'rehearse'), fails: fc.boolean(), deeds })
const deeds = fc.array(fc.oneof(...plain, ...plain, partOf(fc.array(fc.oneof(...plain), { maxLength: 15 }))), {
  maxLength: 40,
})

class Undone extends Error {}

/** Leads 1 to 3 are of one tenant, 4 to 6 of the other; two leads of each have the same number. */
const tenantOfLead = (n: number) => (n <= 3 ? 2 : 3)
const phoneOfLead = (n: number) => `+1212555780${n % 3 === 0 ? 1 : n % 3}`

class Play {
  readonly store = Store.open(inMemory)
  readonly #ids = new Ids(1)
  readonly #most = { rows: 2, reached: 1 }
  readonly #calls: Record<number, Calls> = {
    2: new Calls(this.store, 2, this.#ids.of('call/2'), this.#most),
    3: new Calls(this.store, 3, this.#ids.of('call/3'), this.#most),
  }
  #model: Call[] = []
  #now = 0

  transaction(all: readonly Deed[], fails: boolean): void {
    this.#undoable(fails, () => this.store.transaction(() => this.#doAll(all, fails)))
    this.#look()
    for (let n = 1; n <= 6; n++) this.#ask(n, 1)
  }

  #doAll(all: readonly Deed[], fails: boolean): void {
    for (const deed of all) this.#do(deed)
    if (fails) throw new Undone()
  }

  #undoable(isUndone: boolean, work: () => void): void {
    const before = this.#model.map((call) => ({ ...call }))
    try {
      work()
    } catch (error) {
      if (!(error instanceof Undone)) throw error
    }
    if (!isUndone) return
    this.#model = before
  }

  #do(deed: Deed): void {
    if (deed.does === 'look') return this.#look()
    if (deed.does === 'ask') return this.#ask(deed.lead, deed.campaign)
    if (deed.does === 'add') return this.#add(deed.lead, deed.campaign)
    if (deed.does === 'change') return this.#change(deed.which, deed.ends)
    const { does, fails, deeds: within } = deed
    this.#undoable(fails || does === 'rehearse', () => this.store[does](() => this.#doAll(within, fails)))
  }

  #add(n: number, by: number): void {
    const started = instant(++this.#now)
    const direction = by === 0 ? ('inbound' as const) : ('outbound' as const)
    const whose = { campaign: Math.max(1, by), lead: n, phone: phoneOfLead(n), direction, key: n, api_key: null }
    const call = this.#calls[tenantOfLead(n)]!.add({ ...blank, ...whose, started, updated: started })
    expect(call.n).toBeGreaterThan(Math.max(0, ...this.#model.map((one) => one.n)))
    this.#model.push({ ...call })
  }

  #change(which: number, ends: boolean): void {
    const known = this.#model[which % Math.max(1, this.#model.length)]
    if (!known) return
    const now = instant(++this.#now)
    const changes: Partial<Call> = ends ? { status: 'ended', ended: now, outcome: 'busy' } : { updated: now }
    const calls = this.#calls[known.tenant]!
    const call = calls.get(known.n)
    expect(call).toEqual(known)
    calls.change(call, changes)
    Object.assign(known, changes)
  }

  #ask(n: number, except: number): void {
    const calls = this.#calls[tenantOfLead(n)]!
    const own = this.#model.filter((call) => call.lead === n).reverse()
    const summaries = own.map(({ n, ended, outcome }) => ({ n, ended, outcome }))
    expect(calls.lastOfLead(n).map(({ n, ended, outcome }) => ({ n, ended, outcome }))).toEqual(summaries.slice(0, 10))
    const same = this.#model.filter(({ tenant, phone }) => tenant === tenantOfLead(n) && phone === phoneOfLead(n))
    const others = same.filter((call) => call.direction === 'inbound' || call.campaign !== except)
    expect(calls.lastReached(phoneOfLead(n), except)).toBe(others.at(-1)?.started ?? null)
  }

  /** What is asked of the store has everything written before. */
  #look(): void {
    for (let n = 1; n <= 6; n++) {
      const calls = this.#calls[tenantOfLead(n)]!
      const goOn = this.#model.filter((call) => call.status !== 'ended')
      expect(calls.listOngoing(n)?.n).toBe(goOn.filter((call) => call.lead === n).at(-1)?.n)
      expect(calls.countSampleCalls(n)).toBe(goOn.filter(({ key }) => key === n).length)
      const page = this.#model.filter((call) => call.lead === n).reverse()
      expect(calls.page({ campaigns: null, leads: [n] }, null, 100)).toEqual(page)
    }
  }
}

const blank = {
  lead_before: null,
  status: 'ringing',
  outcome: null,
  outcome_label: null,
  note: null,
  answered: null,
  ended: null,
  machine: 0,
  handler: null,
  handler_role: 'ai',
  owner: null,
  interested_at: null,
  handed_over_at: null,
  callback_at: null,
  revision: 0,
  started_by: 'dialer',
  script: null,
} as const

it('calls are told as they are, whatever begins, changes, is undone and let go', () => {
  const transactions = fc.array(fc.record({ deeds, fails: fc.boolean() }), { maxLength: 4 })
  fc.assert(
    fc.property(transactions, (all) => {
      const play = new Play()
      for (const { deeds: one, fails } of all) play.transaction(one, fails)
      play.store.close()
    }),
  )
})
