/** E-mails to administrators that the service would send, for both modes (rule W8). The simulator only stores them. */
import type { Ids } from '../../kernel/ids.js'
import type { Instant } from '../../kernel/instant.js'
import type { Store } from '../../storage/store.js'
import { sql } from '../../storage/sql.js'
import { tables } from '../../storage/tables.js'

export interface AdminEmail {
  n: number
  organization: number
  at: Instant
  /** E-mail addresses. */
  recipients: string[]
  subject: string
  body: string
}

type AdminEmailRow = Omit<AdminEmail, 'recipients'> & { recipients: string }

export class AdminEmails {
  constructor(readonly store: Store) {}

  id(ids: Ids, n: number): string {
    return ids.uuid('notification', n)
  }

  add({ recipients, ...notification }: Omit<AdminEmail, 'n'>): void {
    this.store.insert(tables.notifications, { ...notification, recipients: JSON.stringify(recipients) })
  }

  /** Newest first. */
  all(): AdminEmail[] {
    return this.store
      .all<AdminEmailRow>(sql`SELECT * FROM ${tables.notifications} ORDER BY n DESC`)
      .map((row) => ({ ...row, recipients: JSON.parse(row.recipients) as string[] }))
  }
}
