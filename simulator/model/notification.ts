/** E-mails the service would have sent, whatever the mode they are about. */
import type { Ids } from '../kernel/ids.js'
import type { Instant } from '../kernel/instant.js'
import type { Store } from '../storage/store.js'

export interface Notification {
  n: number
  organization: number
  at: Instant
  /** E-mail addresses. */
  recipients: string[]
  subject: string
  body: string
}

type NotificationRow = Omit<Notification, 'recipients'> & { recipients: string }

export class Notifications {
  constructor(readonly store: Store) {}

  id(ids: Ids, n: number): string {
    return ids.uuid('notification', n)
  }

  add({ recipients, ...notification }: Omit<Notification, 'n'>): void {
    this.store.insert('notifications', { ...notification, recipients: JSON.stringify(recipients) })
  }

  /** Newest first. */
  all(): Notification[] {
    return this.store
      .all<NotificationRow>('SELECT * FROM notifications ORDER BY n DESC')
      .map((row) => ({ ...row, recipients: JSON.parse(row.recipients) as string[] }))
  }
}
