/** What a person asks about instead of now and the campaign as it is: another moment, other calling hours. */
import { isDateTime } from '../../output/time.js'
import { parseHoursText } from '../../phone/hours-text.js'
import { UsageError } from '../errors/usage-error.js'

export interface WhatIf {
  /** A date-time in ISO form. */
  at?: string | undefined
  /** Calling hours in the form of `parseHoursText`. */
  campaignHours?: string | undefined
}

export function checkWhatIf({ at, campaignHours }: WhatIf): void {
  if (at !== undefined && (!isDateTime(at) || Number.isNaN(Date.parse(at))))
    throw new UsageError(
      `--at ${at} is not a date-time with its zone.`,
      'Use a form like 2026-10-02T15:00:00Z or 2026-10-02T08:00:00-10:00.',
    )
  if (campaignHours !== undefined && !parseHoursText(campaignHours))
    throw new UsageError(
      `--campaign-hours ${campaignHours} is not a week of calling hours.`,
      'Use a form like --campaign-hours "mon-fri 09:00-18:00; sat 10:00-14:00".',
    )
}

/** Numbers listed, calls made and settings changed since are not undone for an answer, so only the future can be asked about. */
export const pastMoment = (at: string): UsageError =>
  new UsageError(`--at ${at} is in the past.`, 'Ask about now or later, by the clock of the service.')
