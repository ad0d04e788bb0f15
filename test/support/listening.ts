/** Runs `svc webhooks listen` of the built program between a simulator and receivers. */
import type { RunningSvc, Svc } from './programs/svc.js'
import type { SvcAt } from './programs/svc-at.js'

/** What became of an event, as a line of NDJSON. */
export interface Line {
  id: string
  type: string
  created: string
  url: string
  delivery_id: string
  attempts: number
  status: number | null
  ms: number
  error: string | null
  hint: string | null
}

export interface ReadyLine {
  type: 'ready'
  events: string[]
  forward: { events: string; url: string }[]
  since: string | null
  after: string | null
  stream: boolean
}

export class Listening {
  private constructor(
    readonly running: RunningSvc,
    readonly ready: ReadyLine,
  ) {}

  /** Starts the listener with NDJSON output, and waits until it misses no event. */
  static async start(svc: Svc, env: Readonly<Record<string, string>>, ...flags: string[]): Promise<Listening> {
    const running = svc.start(['webhooks', 'listen', '--output', 'ndjson', ...flags], env)
    return new Listening(running, JSON.parse(await running.line()) as ReadyLine)
  }

  /** Starts it with the settings of its simulator. */
  static at(at: SvcAt, ...flags: string[]): Promise<Listening> {
    return Listening.start(at.svc, at.env, ...flags)
  }

  /** Reads the next record of any kind. */
  async record<T = Line>(): Promise<T> {
    return JSON.parse(await this.running.line()) as T
  }

  async records(count: number): Promise<Line[]> {
    const all: Line[] = []
    while (all.length < count) all.push(await this.record())
    return all
  }
}
