/** Every check, in the order in which they run: some need what earlier ones saved. */
import type { Check } from '../check.js'
import { admissionChecks } from './admission.js'
import { callChecks, heldCallChecks } from './calls.js'
import { campaignChecks, startAgainChecks } from './campaigns.js'
import { gateChecks } from './gate.js'
import { heldLeadChecks, leadChecks } from './leads.js'
import { listingChecks } from './listing.js'
import { parsingChecks } from './parsing.js'

export const checks: readonly Check[] = [
  ...gateChecks,
  ...parsingChecks,
  ...admissionChecks,
  ...leadChecks,
  ...callChecks,
  ...campaignChecks,
  ...heldLeadChecks,
  ...heldCallChecks,
  ...startAgainChecks,
  ...listingChecks,
]
