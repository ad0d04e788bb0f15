// Writes the table of error codes in docs/rules.md from the contract.
// With --check it writes nothing, and exits 1 if the table is out of date.
import { readFileSync, writeFileSync } from 'node:fs'

const { errorCatalogue, notSent } = await import('../src/contract/errors/error-codes.ts')
const page = new URL('../docs/rules.md', import.meta.url)

const rows = Object.entries(errorCatalogue).map(([code, { status, type, sentence }]) => {
  const note = notSent.includes(code) ? ' Defined, but never sent.' : ''
  return `| \`${code}\` | ${status} | \`${type}\` | ${sentence}${note} |`
})
const table = ['| Code | Status | Type | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')

const before = readFileSync(page, 'utf8')
const after = before.replace(
  /(<!-- error codes: .*-->\n)[^]*(<!-- end of error codes -->)/,
  (_, begin, end) => `${begin}\n${table}\n\n${end}`,
)
if (!after.includes(table)) throw new Error('docs/rules.md has no place for the table of error codes')

if (!process.argv.includes('--check')) writeFileSync(page, after)
else if (after !== before) {
  console.error('The table of error codes in docs/rules.md is out of date. Run npm run docs.')
  process.exitCode = 1
}
