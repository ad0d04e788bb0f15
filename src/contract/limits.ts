/** The numbers of the specification's Limits table, and those the decisions add; the unit is the last word of a name. */

/** Per key; an administrator may set 1 to 50. */
export const simultaneousRequests = 20
export const simultaneousRequestsMin = 1
export const simultaneousRequestsMax = 50

/** Per key. */
export const requestsPerMinute = 120
/** How many a key may send at once after a pause. */
export const requestBurst = 20
/** Per key; every lead of a batch counts. */
export const newLeadsPerMinute = 60

export const requestBodyBytes = 1_048_576
export const leadsPerBatch = 60
export const dncNumbersPerBatch = 100
export const fieldsPerLead = 50

/** API leads waiting in one campaign. */
export const waitingLeadsPerCampaign = 5_000
export const apiCallsPerLead = 3
export const apiCallsWindowHours = 24
export const sampleCallsPerTestKey = 20
export const cooldownHours = 24
/** Unless the campaign sets another. */
export const duplicateWindowDays = 30
/** Unless the campaign sets another. */
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
export const idempotencyKeyLength = 255
export const idempotencyRetentionHours = 24

export const callsInLead = 10
export const pageSizeMax = 100
export const callsPageSize = 50
export const dncPageSize = 50
export const leadsPageSize = 20
export const deliveriesPageSize = 25
export const eventsPageSize = 50
export const campaignsPageSize = 20
/** The largest `limit` of the older list of calls. */
export const olderCallsPageSizeMax = 500

export const webhookEndpointsPerOrganization = 10
export const eventsPerEndpoint = 50
export const webhookAnswerSeconds = 10
export const webhookTries = 7
/** When each try is due, counted from the first (specification, Events, Retries). */
export const webhookTriesMinutes = [0, 1, 5, 30, 2 * 60, 6 * 60, 12 * 60] as const
/** No try is made this long after the first or later. */
export const webhookGiveUpHours = 24
/** At a time, to one endpoint. */
export const webhookSimultaneous = 5
/** To one endpoint. */
export const webhookStartsPerSecond = 10
export const deliveryResponseBytes = 4_096
/** An endpoint with no success for so long is paused. */
export const pauseAfterFailuresHours = 24
export const resumeResendDeliveries = 1_000
export const rollGraceHours = 24
export const rollGraceHoursMax = 168
export const eventRetentionDays = 30
export const recordingLinkMinutes = 5
export const recordingRetentionDays = 90
export const exportRetentionHours = 24
export const usageRefreshMinutes = 5
/** How far an advance goes at most that waits for something and does not say how long. */
export const advanceWithinDays = 31
