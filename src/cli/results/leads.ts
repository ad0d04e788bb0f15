/** Sentences that say what became of a lead or a campaign, for a person at a terminal. */
import type { Lead } from '../../contract/leads.js'
import type { LeadAccepted } from '../../contract/new-leads.js'
import { localZone, fullTime } from '../../output/time.js'

const heldTexts = {
  campaign_paused: 'is held, because the campaign is paused',
  campaign_not_started: 'is held, because the campaign has not started',
  spend_cap_reached: 'is held, because the spending limit of the campaign is reached',
} as const

/** What the lead does now: "is being called now", "is number 3 in line". */
export function describeStanding(
  lead: Pick<
    Lead,
    'status' | 'place_in_line' | 'estimated_wait_seconds' | 'scheduled_for' | 'scheduled_reason' | 'held_reason'
  >,
): string {
  const { status, place_in_line, estimated_wait_seconds, scheduled_for, scheduled_reason, held_reason } = lead
  if (status === 'dialing') return 'is being called now'
  if (status === 'held') return held_reason === null ? 'is held' : heldTexts[held_reason]
  if (status === 'scheduled') {
    const time =
      scheduled_for === null ? '' : ` at ${fullTime(scheduled_for, { utc: false }).slice(0, -3)} ${localZone()}`
    return `will be called${time}${scheduled_reason === null ? '' : reasonTexts[scheduled_reason]}`
  }
  if (status !== 'queued') return `has the status ${status.replaceAll('_', ' ')}`
  const wait = estimated_wait_seconds === null ? '' : `, called in about ${describeWait(estimated_wait_seconds)}`
  return place_in_line === null ? `waits in line${wait}` : `is number ${place_in_line} in line${wait}`
}

const reasonTexts = {
  recent_contact_cooldown: ', at least 24 hours after the last call',
  outside_calling_hours: ', within calling hours',
  retry_after_outcome: ', the next try after the last call',
  next_dial_time: '',
} as const

function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return minutes <= 1 ? 'a minute' : `${minutes} minutes`
  const hours = Math.ceil(minutes / 60)
  return hours === 1 ? 'an hour' : `${hours} hours`
}

/** "Ann was added to Web leads and is being called now." */
export function describeAdded(lead: LeadAccepted, person: string, campaign: string): string {
  const standing = describeStanding(lead)
  if (lead.dry_run) return `${person} would be added to ${campaign}. Nothing was saved.`
  if (lead.requeued) return `${person} was already in ${campaign} and is back in the queue: the lead ${standing}.`
  return `${person} was added to ${campaign} and ${standing}.`
}

/** "Ann is being called now." */
export const describeLeadNow = (lead: Lead): string => `${lead.name ?? lead.phone} ${describeStanding(lead)}.`
