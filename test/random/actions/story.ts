/** Plays a random run from its seed. If it fails, shortens it and reports how to repeat it. */
import fc from 'fast-check'
import type { Action } from './actions.js'
import { replayOf, shortenMs } from '../seeds.js'
import { setting, type Setting } from './setting.js'
import { shorten, type Failure } from '../shorter.js'

export interface Beginning {
  setting: Setting
  /** Whether the data is in a file or in memory. */
  inFile: boolean
}

interface Told {
  action: fc.Arbitrary<Action>
  /** Number of actions. */
  length: number
  play: (beginning: Beginning, actions: readonly Action[]) => Promise<Failure | null>
}

export async function tell(seed: number, { action, length, play }: Told): Promise<void> {
  const story = fc.record({
    beginning: fc.record({ setting, inFile: fc.constantFrom(false, false, true) }),
    actions: fc.array(action, { minLength: length, maxLength: length, size: 'max' }),
  })
  for (const { beginning, actions } of fc.sample(story, { seed, numRuns: 1, unbiased: true })) {
    const failed = await play(beginning, actions)
    if (!failed) continue
    const end = performance.now() + shortenMs
    const shortest = await shorten(
      actions,
      failed,
      (some) => play(beginning, some),
      () => performance.now() > end,
    )
    const { error } = shortest.failure
    error.message += `\nReplay: ${replayOf(seed)}\n${inWords(beginning, shortest.actions)}`
    throw error
  }
}

/** One line for each action and each campaign. */
function inWords({ setting: { now, world } }: Beginning, actions: readonly Action[]): string {
  const done = actions.map((action, n) => `${n + 1}. ${JSON.stringify(action)}`)
  const campaigns = world.organizations.flatMap((one) =>
    typeof one === 'object' && one !== null && 'campaigns' in one ? (one.campaigns as object[]) : [],
  )
  return [`From ${now}, after:`, ...done, 'in campaigns:', ...campaigns.map((one) => JSON.stringify(one))].join('\n')
}
