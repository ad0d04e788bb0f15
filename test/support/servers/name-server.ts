/** A real DNS server on this machine. It answers from a table that tests change. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

/** Addresses of a name, or how the server fails. */
export type Records = readonly string[] | 'unknown' | 'fails' | 'silent'

const types: Readonly<Record<number, string>> = { 1: 'ipv4', 28: 'ipv6' }
const errors = { unknown: 3, fails: 2 } as const

export class NameServer {
  /** Other names are unknown. */
  readonly names = new Map<string, Records>()
  /** Every name that was asked for, in order, once for each address type. */
  readonly questions: string[] = []
  readonly #socket: Socket

  static async start(): Promise<NameServer> {
    const server = new NameServer()
    server.#socket.bind(0, '127.0.0.1')
    await once(server.#socket, 'listening')
    return server
  }

  private constructor() {
    this.#socket = createSocket('udp4')
    this.#socket.on('message', (question, from) => {
      const reply = this.#reply(question)
      if (reply) this.#socket.send(reply, from.port, from.address)
    })
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()))
  }

  /**
   * Builds a reply: the header, the question, and for each address of the asked type an answer valid for one minute.
   */
  #reply(question: Buffer): Buffer | null {
    const labels: string[] = []
    let end = 12
    for (let length = question.readUInt8(end); length > 0; length = question.readUInt8(end)) {
      labels.push(question.toString('latin1', end + 1, end + 1 + length))
      end += 1 + length
    }
    const type = question.readUInt16BE(end + 1)
    const name = labels.join('.').toLowerCase()
    this.questions.push(name)
    const records = this.names.get(name) ?? 'unknown'
    if (records === 'silent') return null
    const addresses = typeof records === 'string' ? [] : records.map((one) => ipaddr.parse(one))
    const answers = addresses.filter((one) => one.kind() === types[type]).map((one) => Buffer.from(one.toByteArray()))
    const error = typeof records === 'string' ? errors[records] : 0
    const header = Buffer.from([...question.subarray(0, 2), 0x81, 0x80 | error, 0, 1, 0, answers.length, 0, 0, 0, 0])
    const record = (data: Buffer) => [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data]
    return Buffer.concat([header, question.subarray(12, end + 5), ...answers.flatMap(record)])
  }
}
