/** Repeats random runs with variations that must change nothing: ids, events, leads and calls stay identical. */
import { describe, it } from 'vitest'
import { temporaryFile } from '../support/temporary-folder.js'
import { worldlyAction, type Action } from './actions/actions.js'
import { perform } from './actions/deeds.js'
import { difference, digestOf } from './digest.js'
import { Run, type Sent } from './run.js'
import { actionsPerVariedRun, variedSeeds } from './seeds.js'
import type { Setting } from './actions/setting.js'
import type { Failure } from './shorter.js'
import { Stage } from './actions/stage.js'
import { tell, type Beginning } from './actions/story.js'
import { sendAll } from './tape.js'
import { variations, type NamedVariation } from './variations.js'

/** Records what a run sends. */
async function record(setting: Setting, actions: readonly Action[]): Promise<Sent[]> {
  const stage = await Stage.open(setting, ':memory:', { watched: true })
  try {
    const run = await Run.begin(stage)
    for (const one of actions) await perform(run, one)
    return run.tape
  } finally {
    await stage.close()
  }
}

async function played(setting: Setting, tape: readonly Sent[], variation: Partial<NamedVariation>): Promise<string[]> {
  const stage = await Stage.open(setting, variation.inFile ? temporaryFile() : ':memory:', variation)
  try {
    await sendAll(stage, tape, variation)
    return await digestOf(stage)
  } finally {
    await stage.close()
  }
}

/** Only the first variation that makes a difference is analyzed further. */
function playVaried() {
  let wanted = variations
  return async ({ setting }: Beginning, actions: readonly Action[]): Promise<Failure | null> => {
    const tape = await record(setting, actions)
    const plain = await played(setting, tape, {})
    for (const variation of wanted) {
      const differs = difference(plain, await played(setting, tape, variation))
      if (differs === null) continue
      wanted = [variation]
      return { error: new Error(`${variation.name}, it is another world: ${differs}`), after: actions.length - 1 }
    }
    return null
  }
}

describe('a random run', () => {
  it.each(variedSeeds)('is the same whatever must make no difference, by the seed %i', { timeout: 0 }, (seed) =>
    tell(seed, { action: worldlyAction, length: actionsPerVariedRun, play: playVaried() }),
  )
})
