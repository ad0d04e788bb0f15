/**
 * Streams the pulse of one tenant: the clock, counts and lines, at most 4 times a second, and twice a second while time is
 * pushed. Its size does not grow with the world. It reads what the last commit left, from counts that the world keeps, so
 * it hardly slows an advance down.
 */
import type { ServerResponse } from 'node:http'
import type { QueryOf } from '../../../../src/contract/base/endpoint.js'
import type { CampaignLines, Pulse, pulse } from '../../../../src/contract/control/pulse.js'
import { toIso, toIsoOrNull } from '../../../kernel/instant.js'
import type { Timer } from '../../../kernel/system-clock.js'
import type { Tenant } from '../../../model/world.js'
import { tenantNamed, type ControlContext } from '../context.js'
import { Feed } from './feed.js'

const intervalMs = 250
/** While time is pushed, each pulse differs and takes time from the push. */
const pushIntervalMs = 500
/** Pulses that differ only in the time are sent this often. */
const quietMs = 1_000
const heartbeatMs = 15_000
const callsMost = 48
const campaignsMost = 12
/** A reader with more unread bytes misses pulses until it has read them. */
const unreadBytesMax = 256 * 1_024

export class Pulses {
  readonly #open = new Set<() => void>()
  #changes = 0

  constructor(readonly context: ControlContext) {}

  /** Counts a control request that may have changed something. */
  countChange(): void {
    this.#changes++
  }

  /** Whether a reader is connected. */
  get isOpen(): boolean {
    return this.#open.size > 0
  }

  /** The tenant that a query names. Throws if there is no such organization. */
  tenantOf(query: QueryOf<typeof pulse>): Tenant {
    return this.context.steps.read(() => tenantNamed(this.context, query))
  }

  /** Streams pulses of a tenant until the reader leaves. */
  open(response: ServerResponse, tenant: Tenant): void {
    const { machine, watch } = this.context
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    })
    const feed = new Feed(tenant)
    const unwatch = watch((notice) => feed.add(notice))
    let timer: Timer | undefined
    let sent = ''
    let sentAt = -Infinity
    let count = 0
    const beat = () => {
      timer = machine.after(this.context.currentPush() ? pushIntervalMs : intervalMs, beat)
      const at = machine.monotonic()
      if (response.writableLength > unreadBytesMax) return
      const { now, ...rest } = this.#read(tenant, feed)
      // While the clock runs, the page carries the time on by itself.
      const text = JSON.stringify(rest.paused ? { now, ...rest } : rest)
      const isQuiet = text === sent && (rest.paused || at - sentAt < quietMs)
      if (isQuiet && at - sentAt < heartbeatMs) return
      sent = text
      sentAt = at
      response.write(`id: ${++count}\nevent: pulse\ndata: ${JSON.stringify({ now, ...rest })}\n\n`)
    }
    const stop = () => {
      unwatch()
      timer?.cancel()
      this.#open.delete(end)
    }
    const end = () => {
      stop()
      response.end()
    }
    this.#open.add(end)
    response.once('close', stop)
    beat()
  }

  close(): void {
    for (const end of this.#open) end()
  }

  #read(tenant: Tenant, feed: Feed): Pulse {
    const { glance, clock, world, version, run, currentPush, machine, log } = this.context
    return glance((now) => ({
      now: toIso(now),
      speed: clock.speed,
      paused: clock.paused,
      version,
      run: `${run}.${world.generation}`,
      leads: Object.fromEntries(tenant.leads.statusCounts.all()),
      lines: linesOf(tenant),
      next_at: toIsoOrNull(world.agenda.next()?.at ?? null),
      push: this.#push(currentPush()),
      request_count: log.count,
      change_count: this.#changes,
      ...feed.read(machine.monotonic()),
    }))
  }

  #push(push: ReturnType<ControlContext['currentPush']>): Pulse['push'] {
    if (!push) return null
    const { world } = this.context
    return {
      from: toIso(push.from),
      to: toIso(push.to),
      waits_for: push.unanswered.slice(0, 3).flatMap(({ effect, ms }) => {
        const { deliveries, endpoints } = world.tenant(effect.tenant)
        const delivery = deliveries.get(effect.delivery)
        const endpoint = endpoints.get(effect.endpoint)
        if (!delivery || !endpoint) return []
        const { event_type, n } = delivery
        return { url: endpoint.url, event_type, delivery_id: deliveries.id(n), seconds: Math.round(ms / 100) / 10 }
      }),
    }
  }
}

function linesOf(tenant: Tenant): CampaignLines[] {
  const { world, calls, queues, organizationNumber: n } = tenant
  const underWay = calls.underWay(callsMost)
  return world.campaigns
    .listByOrganization(n)
    .slice(0, campaignsMost)
    .map((campaign) => ({
      campaign_id: campaign.id,
      name: campaign.name,
      status: campaign.status,
      lines: campaign.lines,
      busy: queues.of(campaign.n).busy,
      queued: queues.of(campaign.n).queued,
      calls: underWay
        .filter((call) => call.campaign === campaign.n)
        .map((call) => ({
          id: calls.id(call.n),
          lead_id: call.lead === null ? null : tenant.leads.id(call.lead),
          who: (call.lead === null ? null : tenant.leads.get(call.lead).name) ?? call.phone,
          direction: call.direction,
          status: call.status,
          started: toIso(call.started),
        })),
    }))
}
