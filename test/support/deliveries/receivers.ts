/** Receivers that close with their test. */
import { afterEachTest } from '../ends.js'
import { Receiver, type Answer } from './receiver.js'

const opened: Receiver[] = []
afterEachTest(async () => {
  for (const receiver of opened.splice(0)) await receiver.close()
})

/** Starts a receiver that answers with a status, or by a handler. */
export async function receive(answer: number | Answer = 200): Promise<Receiver> {
  const receiver = await Receiver.start(typeof answer === 'number' ? () => ({ status: answer }) : answer)
  opened.push(receiver)
  return receiver
}
