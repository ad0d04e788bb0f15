/** Says in words why rows of an import were refused. */

/** Words for an error code, after a number. The second is the plural, if it differs. */
const reasons: Readonly<Record<string, readonly [one: string, many?: string]>> = {
  invalid_phone: ['invalid number', 'invalid numbers'],
  duplicate_lead: ['already in the campaign'],
  on_dnc_list: ['on the Do Not Call list'],
  duplicate_dnc_entry: ['already on the Do Not Call list'],
  consent_required: ['without consent'],
  incomplete_consent: ['with an incomplete consent'],
  unclear_consent_date: ['with an unclear consent date'],
  number_not_allowed: ['number that is never called', 'numbers that are never called'],
  number_retired: ['retired number', 'retired numbers'],
  invalid_request: ['with an invalid value'],
  unreadable_row: ['unreadable row', 'unreadable rows'],
  short_row: ['row that is too short', 'rows that are too short'],
  missing_phone: ['without a number'],
  row_too_large: ['too large'],
}

/** Of that many rows: `on_dnc_list` is "on the Do Not Call list". Other codes stay. */
export function refusalInWords(code: string, count: number): string {
  const [one, many = one] = reasons[code] ?? [code]
  return count === 1 ? one : many
}
