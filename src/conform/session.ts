/** A run in progress: sends requests, knows the key, and keeps what several checks use. */
import type { Campaign } from '../contract/campaigns.js'
import type { Permission } from '../contract/permissions.js'
import { DepartureError, NotAskableError } from './departure.js'
import type { Cleanup } from './cleanup.js'
import { page } from './expect.js'
import type { MadeUp } from './made-up.js'
import { isNotPermitted, permissionProbes } from './permissions.js'
import type { Reply } from './requests/reply.js'
import { isLoopbackHost } from '../url.js'
import type { Ask, Method, Requester } from './requests/requester.js'

export interface SessionOptions {
  requester: Requester
  cleanup: Cleanup
  madeUp: MadeUp
  /** Id of the campaign to use; undefined for the first running one. */
  campaign: string | undefined
  receiver: { url: string | undefined; port: number | undefined }
  slow: boolean
  isLive: boolean
  /** Learns a secret that no output may show. */
  addSecret: (secret: string) => void
}

export class Session {
  readonly options: SessionOptions
  readonly #kept = new Map<string, Promise<unknown>>()
  /** Leads that the run saved. */
  readonly savedLeads = new Set<string>()

  constructor(options: SessionOptions) {
    this.options = options
  }

  get madeUp(): MadeUp {
    return this.options.madeUp
  }

  get cleanup(): Cleanup {
    return this.options.cleanup
  }

  send(method: Method, path: string, ask: Ask = {}): Promise<Reply> {
    return this.options.requester.send(method, path, ask)
  }

  get(path: string, ask: Ask = {}): Promise<Reply> {
    return this.send('GET', path, ask)
  }

  post(path: string, body?: unknown, ask: Ask = {}): Promise<Reply> {
    return this.send('POST', path, { body, ...ask })
  }

  patch(path: string, body: unknown, ask: Ask = {}): Promise<Reply> {
    return this.send('PATCH', path, { body, ...ask })
  }

  del(path: string, ask: Ask = {}): Promise<Reply> {
    return this.send('DELETE', path, ask)
  }

  /** Makes a value at its first use. A departure on the way means that checks that need it cannot be asked. */
  keep<T>(name: string, make: () => Promise<T>): Promise<T> {
    const kept =
      this.#kept.get(name) ??
      make().catch((error: unknown) => {
        if (error instanceof DepartureError) throw new NotAskableError(`${name}: expected ${error.expected}`)
        throw error
      })
    this.#kept.set(name, kept)
    return kept as Promise<T>
  }

  /** Forgets a kept value, so that its next use makes it again. */
  forget(name: string): void {
    this.#kept.delete(name)
  }

  can(permission: Permission): Promise<boolean> {
    return this.keep(`permission ${permission}`, async () => {
      const [method, path, body] = permissionProbes[permission]
      return !isNotPermitted(await this.send(method, path, { body }))
    })
  }

  #starter: (() => Promise<Reply>) | undefined

  /** Sets how the paused campaign is started again. */
  setStarter(start: () => Promise<Reply>): void {
    this.#starter = start
  }

  /** Starts the campaign again if the run paused it. */
  async startPaused(): Promise<Reply | undefined> {
    const start = this.#starter
    this.#starter = undefined
    return start?.()
  }

  /** False while the run keeps the campaign paused. */
  get isRunning(): boolean {
    return this.#starter === undefined
  }

  /** Whether the run may pause the campaign, which also stops its live calls. */
  get mayPause(): boolean {
    const { requester, campaign } = this.options
    return campaign !== undefined || isLoopbackHost(new URL(requester.options.baseUrl).hostname)
  }

  get isLive(): boolean {
    return this.options.isLive
  }

  /** Whether the key covers every campaign. Asked by an export that validation refuses (rules K5 and K7). */
  coversEveryCampaign(): Promise<boolean> {
    return this.keep('the campaigns of the key', async () => {
      const reply = await this.post('/exports', {})
      return !(reply.status === 403 && reply.error['campaign_id'] === null)
    })
  }

  /** The campaigns that the key sees, at most 100. */
  campaigns(): Promise<Campaign[]> {
    return this.keep('the list of campaigns', async () => {
      if (!(await this.can('campaigns:read'))) throw new NotAskableError('the key lacks campaigns:read')
      return page<Campaign>(await this.get('/campaigns?limit=100')).items
    })
  }

  /** The campaign for leads: the one that was named, else the first running one. */
  campaign(): Promise<Campaign> {
    return this.keep('the campaign', async () => {
      const all = await this.campaigns()
      const { campaign: id } = this.options
      const chosen =
        id === undefined ? all.findLast(({ status }) => status === 'running') : all.find((one) => one.id === id)
      if (chosen) return chosen
      throw new NotAskableError(
        id === undefined ? 'the key sees no running campaign' : 'the key does not see the campaign',
      )
    })
  }
}
