/** Every check, in the order in which they run: some need what earlier ones saved. */
import type { Check } from '../check.js'
import { admissionChecks } from './admission.js'
import { batchChecks } from './batch.js'
import { callChecks, heldCallChecks } from './calls.js'
import { campaignChecks, startAgainChecks } from './campaigns.js'
import { deliveryChecks, eventDeliveryChecks } from './deliveries.js'
import { dncChecks } from './dnc.js'
import { errorChecks } from './conventions/errors.js'
import { eventChecks } from './events.js'
import { exportChecks } from './exports.js'
import { scopeChecks } from './conventions/data-scope.js'
import { gateChecks } from './conventions/gate.js'
import { idempotencyChecks } from './conventions/idempotency.js'
import { heldLeadChecks, leadChecks } from './leads.js'
import { lengthChecks } from './conventions/lengths.js'
import { listingChecks } from './conventions/listing.js'
import { pagingChecks } from './conventions/paging.js'
import { parsingChecks } from './conventions/parsing.js'
import { rateHeaderChecks } from './conventions/rate-headers.js'
import { leadRateChecks, rateChecks } from './conventions/rates.js'
import { retryChecks } from './delivery-retries.js'
import { storyChecks } from './story.js'
import { usageChecks } from './usage.js'
import { webhookChecks } from './webhooks.js'

export const checks: readonly Check[] = [
  // Needs an unused burst.
  ...rateChecks,
  ...gateChecks,
  // Early, because a retry comes a minute later.
  ...deliveryChecks,
  ...parsingChecks,
  ...errorChecks,
  ...dncChecks,
  ...admissionChecks,
  ...leadChecks,
  ...batchChecks,
  ...callChecks,
  ...campaignChecks,
  ...heldLeadChecks,
  ...heldCallChecks,
  ...startAgainChecks,
  ...lengthChecks,
  ...idempotencyChecks,
  ...webhookChecks,
  ...eventDeliveryChecks,
  ...pagingChecks,
  ...listingChecks,
  ...eventChecks,
  ...scopeChecks,
  ...exportChecks,
  ...usageChecks,
  ...rateHeaderChecks,
  ...retryChecks,
  ...storyChecks,
  // Uses up the new leads of a minute.
  ...leadRateChecks,
]
