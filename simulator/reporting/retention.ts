/**
 * Retention: deletes events after 30 days (rule E2), and idempotency answers (rule I2) and export files (rule X1) after
 * 24 hours.
 */
import { eventRetentionDays, idempotencyRetentionHours } from '../../src/contract/limits.js'
import { before, days, hours, type Instant } from '../kernel/instant.js'
import type { World } from '../model/world.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

/** Deletes data past its retention period. */
export function deleteExpired(world: World): void {
  deleteExpiredEvents(world, before(world.now, days(eventRetentionDays)))
  world.store.run(
    sql`DELETE FROM ${tables.idempotency} WHERE created <= ?`,
    before(world.now, hours(idempotencyRetentionHours)),
  )
  world.store.run(sql`UPDATE ${tables.exports} SET file = NULL WHERE file IS NOT NULL AND expires <= ?`, world.now)
}

const batch = 1_000

/**
 * Deletes old events. Event numbers are in time order, so each sweep continues where the last one stopped. Events with
 * open deliveries stay.
 */
function deleteExpiredEvents(world: World, until: Instant): void {
  const { store } = world
  let swept = Number(world.setting('events_swept') ?? 0)
  for (;;) {
    const old = store
      .all<{ n: number; created: number }>(
        sql`SELECT n, created FROM ${tables.events} WHERE n > ? ORDER BY n LIMIT ?`,
        swept,
        batch,
      )
      .filter(({ created }) => created < until)
    for (const { n } of old) {
      const open = store.one(
        sql`SELECT 1 FROM ${tables.deliveries} WHERE event = ? AND status IN ('pending', 'failed', 'skipped_paused')`,
        n,
      )
      if (open === undefined) store.run(sql`DELETE FROM ${tables.events} WHERE n = ?`, n)
      swept = n
    }
    if (old.length < batch) break
  }
  world.set('events_swept', String(swept))
}
