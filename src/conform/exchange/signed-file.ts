/** Checks files behind signed links: recordings and exports (rules S7 and X1). */
import { escapeFormula } from '../../csv/formula.js'
import { ErrorBody } from '../../contract/errors/error-codes.js'
import { decodeBody, readText } from './decoded-body.js'
import { mediaTypeOf, type Exchange, type Note } from './exchange.js'
import { issuesOf } from './issues.js'
import { bodyPart } from './request.js'

/** Whether a request is for a signed link, which is outside the API's paths and takes no key. */
export const isSignedLink = (path: string): boolean => /[?&]signature=/.test(path)

export function checkSignedFile({ status, responseHeaders, responseBody }: Exchange, note: Note): void {
  if (responseBody === null) return
  const decoded = decodeBody(responseBody, responseHeaders)
  const type = mediaTypeOf(responseHeaders)
  if ('problem' in decoded) return note('header Content-Encoding', decoded.problem, 'C3')
  if (status >= 400) return checkRefusal(decoded.bytes, note)
  if (status !== 200) return
  if (type === 'audio/wav') {
    if (Buffer.from(decoded.bytes.subarray(0, 4)).toString('latin1') !== 'RIFF') note('body', 'not a WAV file', 'S7')
  } else if (type === 'text/csv') {
    checkCsv(readText(decoded.bytes), note)
  }
}

function checkRefusal(bytes: Uint8Array, note: Note): void {
  let body: unknown
  try {
    body = JSON.parse(readText(bytes) ?? '')
  } catch {
    return note('body', 'not an error of the API', 'F1')
  }
  for (const { field, words } of issuesOf(ErrorBody, body)) note(bodyPart(field), words, 'F1')
}

function checkCsv(text: string | null, note: Note): void {
  if (text === null) return note('body', 'not valid UTF-8', 'X1')
  const rows = readCsv(text)
  const [header = []] = rows
  if (header.length === 0 || header.some((name) => !/^[A-Za-z_][\w ]*$/.test(name))) note('body', 'no header row', 'X1')
  const formula = rows.findIndex((row) => row.some((cell) => escapeFormula(cell) !== cell && !cell.startsWith("'")))
  if (formula >= 0) note(`body row ${formula + 1}`, 'a cell that a spreadsheet would run as a formula', 'X1')
}

/** Rows of RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  for (let match = cells.exec(text); match; match = cells.exec(text)) {
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === '') break
    if (match[3] !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1 || row[0] !== '')
}
