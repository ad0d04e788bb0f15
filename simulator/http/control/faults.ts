/** Serves the faults of the control plane. */
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { created, ok, type ControlHandlers } from '../handler.js'
import type { Plane } from './context.js'

export function faultHandlers({ faults }: Plane): Pick<ControlHandlers, 'addFault' | 'removeFaults'> {
  return {
    addFault: ({ body }) => {
      const { latency_ms, status, code, drop } = body
      if (latency_ms === undefined && status === undefined && code === undefined && !drop) {
        throw new Refusal('invalid_request', 'Send what goes wrong: latency_ms, status, code, or drop.')
      }
      faults.add(body)
      return created(body)
    },
    removeFaults: () => ok({ removed: faults.clear() }),
  }
}
