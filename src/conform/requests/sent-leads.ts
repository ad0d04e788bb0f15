/** The new leads that a run sent, as the deployment counts them for its limit (rule L3). */
import type { Recorded } from './recorded.js'

export class SentLeads {
  readonly #sent: { at: number; count: number }[] = []

  /** Counts the leads of a request that reached the endpoint. Dry runs and kept answers do not count. */
  add({ method, path, request, status, response, answeredAt }: Recorded): void {
    if (method !== 'POST' || !/\/leads(\/batch)?$/.test(path) || typeof request.body !== 'string') return
    const isRefused = /"code":\s*"(invalid_request|lead_rate_limited|rate_limited|too_many_concurrent_requests)"/
    if (status === 401 || status === 403 || isRefused.test(response.text)) return
    if (response.headers['idempotent-replayed'] !== undefined || /"dry_run":\s*true/.test(request.body)) return
    this.#sent.push({ at: answeredAt, count: /\/batch$/.test(path) ? batchSize(request.body) : 1 })
  }

  /** Leads sent at this time or later. */
  since(time: number): number {
    return this.#sent.reduce((sum, { at, count }) => (at >= time ? sum + count : sum), 0)
  }
}

function batchSize(body: string): number {
  try {
    const { leads } = JSON.parse(body) as { leads?: unknown }
    return Array.isArray(leads) ? leads.length : 0
  } catch {
    return 0
  }
}
