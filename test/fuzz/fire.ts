/** Sends generated requests and checks every answer, and the world afterwards, against what the rules allow. */
import { control } from '../../src/contract/control.js'
import { contract } from '../../src/contract/index.js'
import { basePath } from '../../simulator/http/api-routes.js'
import { checkReply } from '../support/check-reply.js'
import type { Reply } from '../support/simulate.js'
import { bodyBytes, type Shot } from './shot.js'
import type { Target } from './target.js'
import { exchange, type Answer, type Ending } from './wire.js'
import type { Wild } from './wild.js'

/** Requests on one connection, one after the other, or arbitrary bytes. */
export type Action = { shots: readonly Shot[] } | { wild: Wild }

/** Traces of a stack, of source paths, or of a library's messages. */
const insides = /\n\s+at |node_modules|\/simulator\/|\.[jt]s:\d+|SQLITE|FST_ERR|ZodError|better-sqlite3/

export async function fire(target: Target, action: Action): Promise<void> {
  if ('wild' in action) await fireWild(target, action.wild)
  else await fireShots(target, action.shots)
  if (target.failures.length > 0) throw new Error(`the simulator failed by itself: ${String(target.failures[0])}`)
}

async function fireWild(target: Target, { bytes, pieces, ending }: Wild): Promise<void> {
  const all = Buffer.from(target.fill(bytes), 'latin1')
  const { answers } = await exchange(target.port, inPieces(all, pieces), ending)
  for (const answer of answers) checkShape(answer)
  await target.settle()
}

async function fireShots(target: Target, shots: readonly Shot[]): Promise<void> {
  const sent = shots.map((shot, n) => requestOf(target, shot, n === shots.length - 1))
  const broken = shots.some(isBroken)
  const ending: Ending = broken ? 'cut' : 'wait'
  const { answers, rest } = await exchange(target.port, sent.flat(), ending, shots.length)
  // After an answer with Connection: close, Node closes the socket. With pipelined requests still unread, the system then
  // drops what the client has not received, so an earlier long answer may be cut.
  const isCut = shots.length > 1 && rest !== ''
  const mayEndEarly = broken || isCut || hasNoBody(shots) || answers.some(isStream) || shots.some(replacesWorld)
  const isWhole = answers.length === shots.length || mayEndEarly
  if (!isWhole && answers.at(-1)?.headers.connection !== 'close')
    throw new Error(`an answer is missing: ${answers.length} of ${shots.length} came, and ${JSON.stringify(rest)}`)
  if (!hasNoBody(shots)) answers.forEach((answer, n) => shots[n] && judge(target, shots[n], answer))
  await checkWorld(target, shots, answers)
}

/** Sent without its end, so that it cannot be served. An empty body is always complete. */
const isBroken = (shot: Shot): boolean => shot.sent === 'broken off' && bodyBytes(shot).length > 0

/** A reset drops the running requests of the old world. */
const replacesWorld = ({ method, path }: Shot): boolean =>
  method === 'POST' && /^\/_sim\/(reset|snapshots\/.*restore)/.test(unescaped(path))

const unescaped = (path: string): string =>
  path.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))

const isStream = ({ headers }: Answer): boolean => headers['content-type'] === 'text/event-stream'

/** After an answer to HEAD the connection cannot be read further: the answer has a length but no body. */
const hasNoBody = (shots: readonly Shot[]): boolean => shots.some(({ method }) => method === 'HEAD')

function inPieces(bytes: Buffer, count: number): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / count))
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))
}

const isEscapedPath = /^[\x21-\x7e]*$/

function requestOf(target: Target, shot: Shot, isLast: boolean): Buffer[] {
  const bytes = bodyBytes({ ...shot, body: target.fill(shot.body) })
  const chunks = shot.sent === 'in chunks' ? inPieces(bytes, 5) : null
  const length = chunks ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`
  const path = target.fill(shot.path)
  if (!isEscapedPath.test(path)) throw new Error(`the path is none: ${JSON.stringify(path)}`)
  const head = Buffer.from(
    [
      `${shot.method} ${path} HTTP/1.1`,
      ...(shot.foreign.some(([name]) => name === 'Host') ? [] : [`Host: 127.0.0.1:${target.port}`]),
      ...[...shot.foreign, ...shot.headers].map(([name, value]) => `${name}: ${target.fill(value)}`),
      ...(bytes.length > 0 || chunks ? [length] : []),
      ...(isLast ? ['Connection: close'] : []),
      '\r\n',
    ].join('\r\n'),
    'latin1',
  )
  if (shot.sent === 'broken off') return [Buffer.concat([head, bytes.subarray(0, bytes.length >> 1)])]
  if (chunks) return [head, ...chunks.map(asChunk), Buffer.from('0\r\n\r\n')]
  return inPieces(Buffer.concat([head, bytes]), shot.sent === 'in pieces' ? 12 : 1)
}

const asChunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

/** Conditions that every reply must meet. */
function checkShape({ status, headers, body }: Answer): void {
  if (status >= 500) throw new Error(`a failure of the service's own: ${status} ${body}`)
  if (status >= 400) {
    const { error } = parsed(body) as { error?: { code?: unknown; message?: unknown; request_id?: unknown } }
    if (!error?.code || !error.message || !/^req_\w+$/.test(String(error.request_id)))
      throw new Error(`a refusal without its shape: ${status} ${JSON.stringify(headers)} ${body}`)
    if (insides.test(body)) throw new Error(`a refusal that shows the insides: ${body}`)
  }
}

function judge(target: Target, { plane, method, path, foreign }: Shot, answer: Answer): void {
  checkShape(answer)
  if (isStream(answer)) return foreign.length > 0 ? checkForeign(path, answer) : undefined
  const { status, headers, body } = answer
  const mayTell = status < 400 && (plane === 'control' || /"secret":"whsec_/.test(body))
  const told = target.secrets.find((secret) => body.includes(secret))
  if (told !== undefined && !mayTell) throw new Error(`a secret is told: ${body.slice(0, 500)}`)
  if (foreign.length > 0) return checkForeign(path, answer)
  if (plane === 'page') return
  const isText = headers['content-type']?.startsWith('text/plain')
  const reply = { status, headers, requestId: String(headers['request-id']), body: isText ? body : parsed(body) }
  const where = read(target.fill(path)).replace(basePath, '')
  checkReply(plane === 'api' ? contract : control, method, where, reply as Reply)
}

/** Another origin can read only the two OpenAPI documents. Everything else is refused or cannot be parsed. */
function checkForeign(path: string, { status, body }: Answer): void {
  const isDocument = /^(\/_sim)?\/openapi\.json$/.test(path) && status === 200
  const isRefused = status === 403 && body.includes('"code":"permission_denied"')
  if (!isDocument && !isRefused && status !== 400) throw new Error(`a foreign page is answered: ${status} ${body}`)
}

/** The path as the service reads it: decoded, and without a fragment. */
function read(path: string): string {
  const [plain = ''] = path.split(/[?#]/)
  try {
    return plain
      .replaceAll(/%(2f|3f)/gi, '%25$1')
      .split('/')
      .map(decodeURIComponent)
      .join('/')
  } catch {
    return plain
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    throw new Error(`an answer that is no JSON: ${body.slice(0, 500)}`)
  }
}

/** Reads, refused requests and incomplete requests change nothing. */
async function checkWorld(target: Target, shots: readonly Shot[], answers: readonly Answer[]): Promise<void> {
  const mayChange = shots.some((shot, n) => {
    const { status } = answers[n] ?? { status: isBroken(shot) ? 400 : 200 }
    return shot.method !== 'GET' && status < 400
  })
  if (mayChange) {
    if (shots.some(({ path }) => /\/_sim\/(reset|.*restore|campaigns)/.test(path))) await target.furnish()
    return target.settle()
  }
  if (shots.some(isBroken)) await target.answersAgain()
  if (target.hasChanged()) throw new Error(`what was refused changed the world: ${target.difference()}`)
}
