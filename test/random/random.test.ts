/** Random runs over the whole world; an independent model checks every event against the rules. */
import { describe, it } from 'vitest'
import { temporaryFile } from '../support/temporary-folder.js'
import { action, type Action } from './actions/actions.js'
import { checkPlaces } from './agenda-check.js'
import { checkpoint } from './checkpoint.js'
import { perform } from './actions/deeds.js'
import { Run } from './run.js'
import { actionsPerRun, seeds } from './seeds.js'
import type { Failure } from './shorter.js'
import { Stage } from './actions/stage.js'
import { tell, type Beginning } from './actions/story.js'

const actionsPerCheckpoint = 12

async function play({ setting, inFile }: Beginning, actions: readonly Action[]): Promise<Failure | null> {
  const stage = await Stage.open(setting, inFile ? temporaryFile() : ':memory:', { watched: true })
  let after = 0
  try {
    const run = await Run.begin(stage)
    for (const [n, one] of actions.entries()) {
      after = n
      await perform(run, one)
      const last = n === actions.length - 1
      if (last || n % actionsPerCheckpoint === 0)
        await checkpoint(run, { whole: last || n % (5 * actionsPerCheckpoint) === 0 })
      if (last || n % actionsPerCheckpoint === 6) await checkPlaces(run)
      if (stage.failures.length > 0) throw new Error(`the simulator failed by itself: ${String(stage.failures[0])}`)
    }
    return null
  } catch (error) {
    return { error: error as Error, after }
  } finally {
    await stage.close()
  }
}

describe('a random run', () => {
  it.each(seeds)('keeps every rule, by the seed %i', { timeout: 0 }, (seed) =>
    tell(seed, { action, length: actionsPerRun, play }),
  )
})
