/** Serves the faults of the control plane. */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { replyCreated, replyOk, type ControlHandlers } from '../handler.js'
import type { ControlContext } from './context.js'

export function faultHandlers({ faults }: ControlContext): Pick<ControlHandlers, 'addFault' | 'removeFaults'> {
  return {
    addFault: ({ body }) => {
      const { latency_ms, status, code, drop } = body
      if (latency_ms === undefined && status === undefined && code === undefined && !drop) {
        throw new ApiError('invalid_request', 'Send what goes wrong: latency_ms, status, code, or drop.')
      }
      faults.add(body)
      return replyCreated(body)
    },
    removeFaults: () => replyOk({ removed: faults.clear() }),
  }
}
