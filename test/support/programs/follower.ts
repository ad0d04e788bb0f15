/** Reads the simulator's event stream. */
import { once } from 'node:events'
import { request as rawRequest, type IncomingMessage } from 'node:http'
import { afterEachTest } from '../ends.js'
import type { Simulation } from '../simulate.js'

export interface Message {
  id: number
  event: string
  data: Record<string, unknown>
}

const opened: IncomingMessage[] = []
afterEachTest(() => {
  for (const response of opened.splice(0)) response.destroy()
})

export class Follower {
  /** Every message so far. */
  readonly messages: Message[] = []
  #rest = ''
  #isOpen = false
  #wake = () => {}

  /** Starts to read. The stream is open when this resolves. */
  static async open(sim: Simulation, query = '', path = '/_sim/stream'): Promise<Follower> {
    const sent = rawRequest(`${sim.url}${path}${query}`).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    opened.push(response)
    const follower = new Follower(response)
    await follower.until(() => follower.#isOpen)
    return follower
  }

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (text: string) => {
      const blocks = (this.#rest + text).split('\n\n')
      this.#rest = blocks.pop() ?? ''
      for (const block of blocks) this.#take(block)
      this.#wake()
    })
    response.on('error', () => undefined)
    response.once('close', () => this.#wake())
  }

  /** Takes one block: a message, or a keep-alive comment. */
  #take(block: string): void {
    this.#isOpen = true
    if (!block.startsWith('id: ')) return
    const [id = '', event = '', data = ''] = block.split('\n').map((line) => line.slice(line.indexOf(': ') + 2))
    this.messages.push({ id: Number(id), event, data: JSON.parse(data) as Message['data'] })
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.response.closed) throw new Error('the stream was closed before')
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  get count(): number {
    return this.messages.length
  }

  /** The names of all messages so far, once there are at least `count`. */
  async names(count: number): Promise<string[]> {
    await this.until(() => this.count >= count)
    return this.messages.map(({ event }) => event)
  }
}
