/** Random histories of endpoints, receivers, time and restarts: deliveries match a model, and arrive. */
import fc from 'fast-check'
import { it } from 'vitest'
import { eventTypes } from '../../src/contract/enums.js'
import type { Manner } from '../support/deliveries/delivery-model.js'
import { DeliveryPlay, type Act } from '../support/deliveries/delivery-play.js'
import { longer } from '../support/crashes/torture.js'

const minute = 60_000
const hour = 60 * minute
const act = <K extends Act['act']>(name: K, words: object = {}) =>
  fc.record({ act: fc.constant(name), ...words }, { noNullPrototype: true }) as fc.Arbitrary<Extract<Act, { act: K }>>

const index = fc.nat(9)
const receiver = fc.nat(2)
const mode = fc.oneof({ weight: 3, arbitrary: fc.constant('live') }, { weight: 1, arbitrary: fc.constant('test') })
const types = fc.uniqueArray(fc.constantFrom('lead.created', 'lead.queued', 'lead.opted_out', 'call.completed'), {
  minLength: 1,
})
const campaigns = fc.array(fc.nat(1), { maxLength: 2 })
const lengths = [0, 1_000, minute - 1, minute, 4 * minute, 25 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour]

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: act('lead', { campaign: fc.nat(1), mode }) },
  { weight: 8, arbitrary: act('advance', { ms: fc.constantFrom(...lengths) }) },
  { weight: 4, arbitrary: act('manner', { receiver, manner: fc.constantFrom('takes', 'refuses', 'hangs') }) },
  { weight: 4, arbitrary: act('create', { receiver, events: types, campaigns, mode }) },
  { weight: 2, arbitrary: act('opt out', { lead: index }) },
  {
    weight: 2,
    arbitrary: fc.record(
      { act: fc.constant('change' as const), endpoint: index, receiver, events: types, campaigns },
      { requiredKeys: ['act', 'endpoint'], noNullPrototype: true },
    ),
  },
  { weight: 2, arbitrary: act('pause', { endpoint: index }) },
  { weight: 1, arbitrary: act('activate', { endpoint: index }) },
  { weight: 3, arbitrary: act('resume', { endpoint: index, resend: fc.boolean() }) },
  { weight: 1, arbitrary: act('delete', { endpoint: index }) },
  { weight: 3, arbitrary: act('roll', { endpoint: index, hours: fc.constantFrom(0, 1, 24, 168) }) },
  { weight: 2, arbitrary: act('test', { endpoint: index, type: fc.constantFrom(...eventTypes) }) },
  { weight: 3, arbitrary: act('resend', { endpoint: index, delivery: index }) },
  { weight: 2, arbitrary: act('restart', { sending: fc.boolean(), campaign: fc.nat(1) }) },
  { weight: 3, arbitrary: act('crash', { sending: fc.boolean(), campaign: fc.nat(1) }) },
)

/** Acts that seldom come together by themselves, in a row. */
const sagas: fc.Arbitrary<Act[]> = fc.tuple(receiver, index, fc.nat(1)).chain(([receiver, endpoint, campaign]) => {
  const lead: Act = { act: 'lead', campaign, mode: 'live' }
  const manner = (manner: Manner): Act => ({ act: 'manner', receiver, manner })
  const pass = (ms: number): Act => ({ act: 'advance', ms })
  return fc.constantFrom<Act[]>(
    // A day of failures, to the very moment.
    [manner('refuses'), lead, pass(24 * hour - 1), lead, pass(1), lead],
    // Failures with a success between them.
    [manner('refuses'), lead, pass(12 * hour), manner('takes'), lead, manner('hangs'), lead, pass(12 * hour), lead],
    // A fresh schedule for what had tries behind it.
    [
      manner('refuses'),
      lead,
      pass(5 * minute),
      { act: 'pause', endpoint },
      { act: 'resume', endpoint, resend: true },
      pass(minute),
    ],
    // The last moment of an old secret, and the first without it.
    [{ act: 'roll', endpoint, hours: 1 }, pass(hour - 1), lead, pass(1), lead],
    // Two rolls while the older secret still signs.
    [{ act: 'roll', endpoint, hours: 24 }, { act: 'roll', endpoint, hours: 1 }, lead],
  )
})

/** Something to begin with, so that no play is spent on an empty world. */
const beginnings = fc.array(act('create', { receiver, events: types, campaigns, mode }), { minLength: 2, maxLength: 4 })
const plays = fc.array(fc.oneof({ weight: 3, arbitrary: acts.map((one) => [one]) }, { weight: 1, arbitrary: sagas }), {
  minLength: 6,
  maxLength: 14,
  size: 'max',
})

it(
  'every delivery is as the model has it, and every receiver got each event signed, whole and on its schedule',
  async () => {
    await fc.assert(
      fc.asyncProperty(beginnings, plays, async (first, then) => {
        const play = await DeliveryPlay.start()
        try {
          for (const one of [...first, ...then.flat()]) await play.play(one)
        } finally {
          await play.close()
        }
      }),
      { numRuns: 15 * longer },
    )
  },
  120_000 * longer,
)
