/** A simulator in a separate process, for tests that kill it in the middle of its work. */
import { request, type Dispatcher } from 'undici'
import type { World } from '../../../src/contract/control/world.js'
import { basePath } from '../../../simulator/http/api-routes.js'
import type { SimulatorOptions } from '../../../simulator/index.js'
import { Program } from '../programs/program.js'

export class KillableService {
  /** With `standing`, no due task ever starts. */
  static async start(
    options: SimulatorOptions & { data: string; standing?: boolean },
    env: NodeJS.ProcessEnv = {},
  ): Promise<KillableService> {
    const usual = { now: '2026-10-01T15:00:00Z', paused: true, limits: false, allowLocalWebhooks: true }
    const program = Program.startWith(env, 'programs/simulator-program.ts', JSON.stringify({ ...usual, ...options }))
    const url = await program.line()
    const { body } = await request(`${url}/_sim/world`)
    const { data } = (await body.json()) as { data: World }
    const [organization] = data.organizations
    const secret = organization?.keys.find(({ mode }) => mode === 'live')?.secret ?? ''
    return new KillableService(program, url, secret, organization?.campaigns[0]?.id ?? '')
  }

  private constructor(
    readonly program: Program,
    readonly url: string,
    readonly secret: string,
    readonly campaign: string,
  ) {}

  async post<T>(
    path: string,
    body: object,
    idempotencyKey?: string,
  ): Promise<{ status: number; replayed: boolean; data: T }> {
    return this.ask<T>('POST', path, body, idempotencyKey)
  }

  /** Sends any request: to the control plane if the path begins with `/_sim`, else to the API. */
  async ask<T = unknown>(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: object,
    idempotencyKey?: string,
  ): Promise<{ status: number; replayed: boolean; data: T; code: string | undefined }> {
    const headers = {
      authorization: `Bearer ${this.secret}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }
    const base = path.startsWith('/_sim') ? this.url : this.url + basePath
    const reply = await request(base + path, { method, headers, body: body ? JSON.stringify(body) : null })
    const { data, error } = (await reply.body.json()) as { data: T; error?: { code: string } }
    const replayed = reply.headers['idempotent-replayed'] === 'true'
    return { status: reply.statusCode, replayed, data, code: error?.code }
  }

  async get<T>(path: string): Promise<T> {
    const headers = { authorization: `Bearer ${this.secret}` }
    const reply = await request(this.url + basePath + path, { headers })
    return ((await reply.body.json()) as { data: T }).data
  }

  /** Advances time. Resolves when everything due on the way is done. */
  async advance(by: string): Promise<unknown> {
    const headers = { 'content-type': 'application/json' }
    const reply = await request(`${this.url}/_sim/clock/advance`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ by }),
    })
    return reply.body.json()
  }

  kill(): Promise<void> {
    return this.program.kill()
  }
}
