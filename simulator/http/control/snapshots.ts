/** Serves snapshots: saves and restores the whole state. */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { toIso } from '../../kernel/instant.js'
import { restoreSnapshot } from '../../setup/reset.js'
import { DamagedSnapshot, type Snapshot, type SnapshotStore } from '../../storage/snapshots.js'
import { replyCreated, replyOk, type ControlHandlers } from '../handler.js'
import type { ControlContext } from './context.js'

type SnapshotHandlers = Pick<ControlHandlers, 'createSnapshot' | 'listSnapshots' | 'restoreSnapshot' | 'deleteSnapshot'>

export function snapshotHandlers({
  world,
  steps,
  shelf,
  replace,
  requestIds,
  isLocal,
  machineNow,
}: ControlContext): SnapshotHandlers {
  const shown = ({ name, now, savedAt }: Snapshot) => ({
    name,
    now: toIso(now),
    saved_at: savedAt === null ? null : toIso(savedAt),
  })
  return {
    createSnapshot: ({ body: { name } }) => {
      // An empty step writes the current clock to the store.
      steps.step(() => undefined)
      const snapshot = { name, now: world.clockRecord()?.now ?? world.now, savedAt: machineNow() }
      shelf.put(snapshot, world.store.image())
      return replyCreated(shown(snapshot))
    },
    listSnapshots: () => ({ status: 200, body: { data: shelf.all().map(shown) } }),
    restoreSnapshot: async ({ params: { name } }) => {
      const image = readSnapshot(shelf, name)
      const { savedAt = null } = shelf.all().find((one) => one.name === name) ?? {}
      await replace(() => {
        const record = restoreSnapshot(world, image)
        if (!isLocal && world.secretsFollowSeed) throw guessableSecrets(name)
        requestIds.goOn()
        return record
      })
      return replyOk(shown({ name, now: steps.read(() => world.now), savedAt }))
    },
    deleteSnapshot: ({ params: { name } }) => replyOk(shown(shelf.remove(name) ?? snapshotMissing(name))),
  }
}

/** Reads the image of a snapshot. Throws ApiError if there is none or if it is damaged. */
export function readSnapshot(shelf: SnapshotStore, name: string): Buffer {
  try {
    return shelf.image(name) ?? snapshotMissing(name)
  } catch (error) {
    if (!(error instanceof DamagedSnapshot)) throw error
    throw new ApiError('invalid_request', `${error.message} Nothing was changed. Delete it and save another.`)
  }
}

/** A snapshot whose secrets follow from a seed, in a simulator that other machines can reach. */
export const guessableSecrets = (name: string) =>
  new ApiError(
    'invalid_request',
    `The secrets in snapshot ${name} follow from a seed, so they can be guessed. Use it with a simulator that listens on this machine only.`,
  )

function snapshotMissing(name: string): never {
  throw new ApiError('not_found', `There is no snapshot ${name}.`)
}
