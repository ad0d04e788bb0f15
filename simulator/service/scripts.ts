/** Call scripts: what the next calls to a number do, as it was set; the outside plays them. */
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import type { Organization } from '../world/world.js'

/** Replaces the script of a number. */
export function setScript({ world, tenant }: Organization, e164: string, calls: readonly ScriptedCall[]): void {
  world.store.run(
    'INSERT OR REPLACE INTO scripts (tenant, phone, calls, played) VALUES (?, ?, ?, 0)',
    tenant,
    e164,
    JSON.stringify(calls),
  )
}

/** Forgets the script of a number, or every one; the answer is how many. */
export function forgetScripts({ world, tenant }: Organization, e164?: string): number {
  if (e164 === undefined) return world.store.run('DELETE FROM scripts WHERE tenant = ?', tenant)
  return world.store.run('DELETE FROM scripts WHERE tenant = ? AND phone = ?', tenant, e164)
}
