/** The sender of a world without webhook endpoints. It has nothing to send. */
import type { Sender } from '../runtime/sender.js'

const nothingToSend = (): never => {
  throw new Error('a planned world has no deliveries')
}

export const noSender: Sender = {
  recall: () => new Map(),
  hold: () => undefined,
  releaseStored: () => undefined,
  hasStored: () => false,
  live: nothingToSend,
  dueOf: nothingToSend,
  endpoint: nothingToSend,
  keepStarts: nothingToSend,
  reserve: nothingToSend,
  retryAt: nothingToSend,
  reorderedBehind: nothingToSend,
  isOff: nothingToSend,
  takeFault: nothingToSend,
  postpone: nothingToSend,
  prepare: nothingToSend,
  skip: nothingToSend,
}
