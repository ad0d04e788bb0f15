/** Serves the isolated worlds: creates, lists, deletes and compares them. Only the main world has these routes. */
import { ApiError, type ErrorCode } from '../../../src/contract/errors/error-codes.js'
import { replyCreated, replyOk, type ControlHandlers } from '../handler.js'
import type { ControlContext } from './context.js'
import type { WorldRegistry } from './world-registry.js'

/** An error of these routes. They answer some codes with another status than the API. */
export class WorldError extends ApiError {
  constructor(
    override readonly status: number,
    code: ErrorCode,
    message: string,
    param: string | null = null,
  ) {
    super(code, message, { param })
  }
}

export const worldMissing = (id: string): ApiError => new ApiError('not_found', `There is no world ${id}.`)

type WorldsHandlers = Pick<ControlHandlers, 'createWorld' | 'listWorlds' | 'deleteWorld' | 'diffWorlds'>

export function worldsHandlers({ worlds }: ControlContext): WorldsHandlers {
  const managed = (): WorldRegistry => {
    if (worlds) return worlds
    throw new ApiError('not_found', 'Worlds are managed by the main world only, at /_sim/worlds.')
  }
  return {
    createWorld: ({ body }) => replyCreated(managed().create(body)),
    listWorlds: () => ({ status: 200, body: { data: managed().list() } }),
    deleteWorld: async ({ params: { id } }) => {
      await managed().delete(id)
      return replyOk({ id, deleted: true as const })
    },
    diffWorlds: ({ params: { a, b } }) => replyOk(managed().diff(a, b)),
  }
}
