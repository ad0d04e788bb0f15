/** Every mutant. They were chosen from what deployments get wrong, not from what the checks look at. */
import { leads } from './leads.js'
import { idempotency, limits, paging } from './lists.js'
import type { Mutant } from './mutant.js'
import { replies } from './replies.js'
import { gate, parsing } from './requests.js'
import { resources } from './resources.js'
import { subtleReplies } from './subtle-replies.js'
import { subtleLeads, subtleRequests } from './subtle.js'
import { events, webhooks } from './webhooks.js'

export const mutants: readonly Mutant[] = [
  ...gate,
  ...parsing,
  ...replies,
  ...leads,
  ...resources,
  ...paging,
  ...idempotency,
  ...limits,
  ...webhooks,
  ...events,
  ...subtleRequests,
  ...subtleLeads,
  ...subtleReplies,
]
