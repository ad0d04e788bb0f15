/** What is kept for a time only: events for 30 days, answers to idempotency keys for a day (specification, Limits). */
import { eventRetentionDays, idempotencyRetentionHours } from '../../src/contract/limits.js'
import { before, days, hours } from '../kernel/instant.js'
import type { World } from '../world/world.js'

/** Deletes what is older than its time. Deliveries keep their row; those still open keep their event too. */
export function sweep(world: World): void {
  const { store, now } = world
  store.run(
    `DELETE FROM events WHERE n < (SELECT coalesce(min(n), 0) FROM events WHERE created >= ?1) AND created < ?1
       AND n NOT IN (SELECT event FROM deliveries WHERE event IS NOT NULL AND status IN ('pending', 'failed', 'skipped_paused'))`,
    before(now, days(eventRetentionDays)),
  )
  store.run('DELETE FROM idempotency WHERE created <= ?', before(now, hours(idempotencyRetentionHours)))
}
