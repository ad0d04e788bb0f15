/** The limits of the service. A time or a size has its unit as the last word of its name; a length is in characters. */

/** Per key. An administrator may set 1 to 50 (rule L1). */
export const simultaneousRequests = 20
export const simultaneousRequestsMin = 1
export const simultaneousRequestsMax = 50

/** Per key (rule L2). */
export const requestsPerMinute = 120
/** Requests that a key may send at once after a pause (rule L2). */
export const requestBurst = 20
/** Per key; each lead of a batch counts (rule L3). */
export const newLeadsPerMinute = 60

/** Rule C2. */
export const requestBodyBytes = 1_048_576
/** Rule L5. */
export const leadsPerBatch = 60
/** Rule L5. */
export const dncNumbersPerBatch = 100
/** Rule L6, as the lengths below. */
export const fieldsPerLead = 50

/** Waiting API leads in one campaign (rule A4). */
export const waitingLeadsPerCampaign = 5_000
/** API-started calls to one lead in the window below (rule D15). */
export const apiCallsPerLead = 3
export const apiCallsWindowHours = 24
/** At once (rule T3). */
export const sampleCallsPerTestKey = 20
/** Rule D4. */
export const cooldownHours = 24
/** Unless the campaign sets another (rule D9). */
export const duplicateWindowDays = 30
/** Unless the campaign sets another (rule D10). */
export const lateAfterMinutes = 15

export const externalIdLength = 200
export const phoneLength = 32
export const nameLength = 200
export const emailLength = 254
export const addressLength = 500
export const consentSourceLength = 100
export const consentTextLength = 5_000
export const optOutReasonLength = 500
export const webhookUrlLength = 2_048
export const dncSearchLength = 200
/** Rules I1 and I2. */
export const idempotencyKeyLength = 255
export const idempotencyRetentionHours = 24

/** Rule S8. */
export const callsInLead = 10
export const pageSizeMax = 100
export const callsPageSize = 50
export const dncPageSize = 50
export const leadsPageSize = 20
export const deliveriesPageSize = 25
export const eventsPageSize = 50
export const campaignsPageSize = 20
/** The largest `limit` of the deprecated list of calls (rule P4). */
export const olderCallsPageSizeMax = 500

/** Rule W1. */
export const webhookEndpointsPerOrganization = 10
export const eventsPerEndpoint = 50
/** Rule W2. */
export const webhookAnswerSeconds = 10
export const webhookTries = 7
/** When each attempt is due, counted from the first (rule W6). */
export const webhookTriesMinutes = [0, 1, 5, 30, 2 * 60, 6 * 60, 12 * 60] as const
/** No attempt is made this long after the first, or later (rule W6). */
export const webhookGiveUpHours = 24
/** Attempts at a time to one endpoint (rule W7). */
export const webhookSimultaneous = 5
/** To one endpoint (rule W7). */
export const webhookStartsPerSecond = 10
/** Rule W12. */
export const deliveryResponseBytes = 4_096
/** An endpoint without a success for this long is paused (rule W8). */
export const pauseAfterFailuresHours = 24
/** Rule W9. */
export const resumeResendDeliveries = 1_000
/** Default and maximum (rule W4). */
export const rollGraceHours = 24
export const rollGraceHoursMax = 168
/** Rule E2. */
export const eventRetentionDays = 30
/** Rule S7. */
export const recordingLinkMinutes = 5
export const recordingRetentionDays = 90
/** Rule X1. */
export const exportRetentionHours = 24
/** Rule X4. */
export const usageRefreshMinutes = 5
/** Longest advance that waits for a condition, if no duration is given. */
export const advanceWithinDays = 31
