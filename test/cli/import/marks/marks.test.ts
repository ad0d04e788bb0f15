/** Columns and values that say that a person must not be called. */
import { describe, expect, it } from 'vitest'
import { isMarkValue, mayHaveMarkValues, readFlag, senseOf } from '../../../../src/cli/import/source/marks.js'

/** What a cell says to an import. */
function judge(header: string, value: string): 'never' | 'other' {
  const sense = senseOf(header)
  const byFlag = sense !== undefined && readFlag(sense, value) === 'never'
  return byFlag || (mayHaveMarkValues(header) && isMarkValue(value)) ? 'never' : 'other'
}

describe('a mark in an imported file', () => {
  it.each([
    ['Do Not Call', 'Yes'],
    ['Do not call?', 'x'],
    ['DNC', '1'],
    ['On DNC list', 'true'],
    ['Do Not Call', 'Yes - asked in March'],
    ['Has Opted Out Of Calls', 'TRUE'],
    ['Phone Opt Out', '2026-01-02'],
    ['Call Opt-Out Date', '1/2/2026'],
    ['Opted out', 'Jan 2, 2026'],
    ['Blacklist', 'yes'],
    ['Blacklisted', 'Y'],
    ['No permission to call', 'yes'],
    ['Not OK to call', 'yes'],
    ['OK to call', 'No'],
    ['Okay to contact?', 'no'],
    ['Consent to call', 'No'],
    ['Call consent', 'withdrawn'],
    ['Can call?', 'no'],
    ['May we call', 'N'],
    ['Call permission', 'No'],
    ['Call Allowed', 'FALSE'],
    ['Allow calls', '0'],
    ['Phone Opt-In', 'no'],
    ['Lead Status', 'DO NOT CALL'],
    ['Lead Status', 'Unqualified - Do Not Call'],
    ['Stage', 'Closed (DNC)'],
    ['Tags', 'DNC; hot'],
    ['Tags', 'hot, do-not-contact'],
    ['Remarks', "Don't call again!"],
    ['Call permission', 'Do not call'],
  ])('is noticed: %s = %s', (header, value) => {
    expect(judge(header, value)).toBe('never')
  })

  it.each([
    ['Do Not Call', 'No'],
    ['Do Not Call', ''],
    ['DNC', 'false'],
    ['Blacklist', 'no'],
    ['Phone Opt Out', '0'],
    ['OK to call', 'Yes'],
    ['Consent to call', ''],
    ['Call Allowed', 'TRUE'],
    ['Not OK to call', 'no'],
    ['Notes', 'Do not call before 9'],
    ['Notes', 'Not on the DNC list'],
    ['Tags', 'DNC: no'],
    ['Tags', 'DNC - no'],
    ['Tags', 'hot; call back'],
    ['Email Opt Out', 'yes'],
    ['Email status', 'Unsubscribed'],
    ['HasOptedOutOfFax', 'true'],
    ['No. Calls', '1'],
    ['Never called', 'yes'],
    ['Last call', 'no'],
    ['Last activity', 'No calls'],
    ['Called', 'no'],
    ['Call now', 'no'],
    ['Company', 'Opt Outdoor Ltd'],
  ])('is not seen where there is none: %s = %s', (header, value) => {
    expect(judge(header, value)).toBe('other')
  })
})
