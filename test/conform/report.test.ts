/** How the results of a run are shown: masked, as text for any width, and as JUnit. */
import { describe, expect, it } from 'vitest'
import { formatJUnit } from '../../src/conform/report/junit.js'
import { Masks } from '../../src/conform/report/mask.js'
import type { Recorded } from '../../src/conform/requests/recorded.js'
import { formatReport } from '../../src/conform/report/report.js'
import type { CheckResult, ConformanceResult } from '../../src/conform/report/result.js'
import { summarize } from '../../src/conform/report/summary.js'
import { stripControlsFromLine } from '../../src/output/sanitize.js'
import { wrapWords } from '../../src/output/table/width.js'

const secret = 'cs_test_0123456789abcdef'
const exchange: Recorded = {
  method: 'POST',
  path: '/leads?phone=%2B12125557812',
  request: {
    headers: { Authorization: `Bearer ${secret}`, 'Idempotency-Key': 'k' },
    body: JSON.stringify({ phone: '(212) 555-7812', email: 'ann.alvarez@example.com', consent: { text: secret } }),
  },
  status: 201,
  response: {
    headers: { 'request-id': 'req_1' },
    text: '{"data":{"secret":"whsec_0123456789abcdefghij","phone":"+12125557812"}}',
  },
  sentAt: 0,
  answeredAt: 1,
}

const masks = new Masks(new Set([secret]))
const departure: CheckResult = {
  rule: 'A1',
  group: 'leads',
  title: 'The check of phone comes before the check of consent',
  result: 'departs',
  expected: '400 invalid_phone & "<nothing else>"',
  request: masks.request(exchange),
  response: masks.response(exchange),
}
const asked = (rule: string, result: CheckResult['result'], reason?: string): CheckResult => ({
  rule,
  group: 'leads',
  title: `A check of ${rule}`,
  result,
  ...(reason !== undefined && { reason }),
})

const resultWith = (checks: CheckResult[]): ConformanceResult => ({
  base_url: 'https://api.example.com/api/v1/external',
  mode: 'test',
  checks,
  summary: { holds: 1, departs: 1, not_asked: 1 },
  left_behind: { leads: 1, campaign_id: 'c1', not_removed: ['The webhook endpoint e1 could not be removed.'] },
  left_out: 3,
  requests: 12,
  interrupted: false,
})

const style = (width: number) => {
  const plain = (text: string) => text
  return { width, red: plain, green: plain, dim: plain, wrap: wrapWords, clean: stripControlsFromLine }
}

describe('masks of a conformance run', () => {
  it('hide keys, webhook secrets, phone numbers and e-mail addresses in requests and replies', () => {
    const shown = JSON.stringify([masks.request(exchange), masks.response(exchange)])
    expect(shown).not.toMatch(/0123456789abcdef|2125557812|555-7812.*212|ann\.alvarez/)
    expect(shown).toContain('7812')
  })

  it('keep JSON bodies as JSON', () => {
    expect(masks.response(exchange).body).toEqual({ data: { secret: 'whsec_****', phone: '+*******7812' } })
  })
})

describe('report of a conformance run', () => {
  const checks = [departure, asked('A1', 'holds'), asked('A4', 'not_asked', 'it takes 5,000 leads')]
  const text = (width: number) => formatReport(resultWith(checks), summarize(checks, ['leads']), 2, style(width))

  it('shows a departure with its request, its answer and what was expected', () => {
    expect(text(200)).toContain(
      [
        'A1 departs: The check of phone comes before the check of consent',
        '  request     POST /leads?phone=+*******7812',
      ].join('\n'),
    )
    expect(text(200)).toContain('  answer      201 {"data":{"secret":"whsec_****","phone":"+*******7812"}}')
    expect(text(200)).toContain('  expected    400 invalid_phone & "<nothing else>"')
  })

  it('says what stays and what was left out', () => {
    expect(text(200)).toContain('1 test lead stays in campaign c1: the API cannot remove leads.')
    expect(text(200)).toContain('The webhook endpoint e1 could not be removed.')
    expect(text(200)).toContain('3 more checks run with --slow.')
  })

  it.each([40, 60, 100])('fits a terminal of %i columns', (width) => {
    const lines = text(width)
      .split('\n')
      .filter((line) => /^ |^[A-Z]\d/.test(line) && !line.includes('departs: '))
    expect(lines.filter((line) => line.length > width)).toEqual([])
  })

  it('shows no control characters of the deployment', () => {
    const wild = { ...departure, response: { status: 200, headers: {}, body: 'a\u001b[31mb\u0085' } }
    const shown = formatReport(resultWith([wild]), summarize([wild], ['leads']), 1, style(100))
    expect(['\u001b', '\u0085'].filter((control) => shown.includes(control))).toEqual([])
  })
})

describe('JUnit of a conformance run', () => {
  it('escapes text, and marks departures as failures and unasked checks as skipped', () => {
    const xml = formatJUnit(resultWith([departure, asked('A4', 'not_asked', 'it takes <5,000> leads\u0001')]))
    expect(xml).toContain('<failure message="expected 400 invalid_phone &amp; &quot;&lt;nothing else&gt;&quot;">')
    expect(xml).toContain('<skipped message="it takes &lt;5,000&gt; leads\ufffd"/>')
    expect(xml.match(/<testcase /g)).toHaveLength(2)
  })
})
