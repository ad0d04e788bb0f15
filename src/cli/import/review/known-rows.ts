/** Says before an import how many of its rows earlier imports sent. */
import { amount } from '../result-sentence.js'
import type { KnownRows } from '../sent-people.js'

/** "60 of them were added by an earlier import", for the question before sending. */
export const noteKnown = ({ total, added, unanswered, isExact }: KnownRows): string => {
  if (total === 1) return added > 0 ? 'already added' : 'perhaps added'
  return [
    ...(added > 0 ? [`${isExact ? '' : 'at least '}${added.toLocaleString('en-US')} of them already added`] : []),
    ...(unanswered > 0 ? [`${unanswered.toLocaleString('en-US')} perhaps added`] : []),
  ].join(', ')
}

/** Sentences about rows that an earlier import of the file, or of another one, sent. */
export function describeKnown(known: KnownRows, windowDays: number | undefined): string[] {
  const { total, added, unanswered, isExact } = known
  const were = (count: number) => (count === 1 ? 'was' : 'were')
  return [
    ...(added > 0
      ? [
          `Warning: ${isExact ? '' : 'at least '}${added.toLocaleString('en-US')} of ${amount(total, 'rows')} ${were(added)} already added to the campaign by an earlier import.`,
        ]
      : []),
    ...(unanswered > 0
      ? [
          `Warning: ${amount(unanswered, 'rows')} ${were(unanswered)} sent by an earlier import without an answer, and may be in the campaign.`,
        ]
      : []),
    describeWindow(added + unanswered, windowDays),
  ]
}

/** What the campaign does with numbers that it has. */
export function describeWindow(rows: number, windowDays: number | undefined): string {
  const people = rows === 1 ? 'this person' : 'these people'
  if (windowDays === 0) return `The campaign refuses no numbers that it has: it calls ${people} again.`
  const window =
    windowDays === undefined ? 'its duplicate window' : `${amount(windowDays, 'days')} after they were added`
  return `The campaign refuses numbers that it has, within ${window}. After that, it calls ${people} again.`
}
