/** Writes a run as JUnit XML: one test case a check. */
import type { CheckResult, ConformanceResult } from './result.js'

export function formatJUnit({ checks, base_url, summary }: ConformanceResult): string {
  const { departs, not_asked } = summary
  const counts = `tests="${checks.length}" failures="${departs}" errors="0" skipped="${not_asked}"`
  const cases = checks.map(formatCase).join('\n')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="svc conform" ${counts}>`,
    `  <testsuite name="${escape(`conformance of ${base_url}`)}" ${counts}>`,
    cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function formatCase(check: CheckResult): string {
  const { rule, group, title, result, reason, expected } = check
  const start = `    <testcase classname="conform.${group}" name="${escape(`${rule}: ${title}`)}"`
  if (result === 'holds') return `${start}/>`
  if (result === 'not_asked') return `${start}><skipped message="${escape(reason ?? '')}"/></testcase>`
  const message = expected ?? reason ?? 'departs'
  return `${start}><failure message="${escape(`expected ${message}`)}">${escape(detail(check))}</failure></testcase>`
}

function detail({ request, response }: CheckResult): string {
  const sent = request && `${request.method} ${request.path}\n${JSON.stringify(request.body)}\n`
  const got =
    response && `answered ${response.status}\n${JSON.stringify(response.headers)}\n${JSON.stringify(response.body)}\n`
  return `${sent ?? ''}${got ?? ''}`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Characters that XML 1.0 cannot hold, also as entities. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

function escape(text: string): string {
  return text
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll(forbidden, '\ufffd')
    .replaceAll(/[&<>"']/g, (char) => entities[char] ?? char)
    .replaceAll(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`)
}
