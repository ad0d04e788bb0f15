/** Raw HTTP: sends bytes that no client would send, and parses the answers one by one. */
import { connect } from 'node:net'

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface Heard {
  answers: Answer[]
  /** Received bytes that do not form a complete response. */
  rest: string
}

/** What to do with a connection that the server leaves open: wait, half close, or cut it. */
export type Ending = 'wait' | 'half' | 'cut'

/** Every request must be answered, or its connection closed, within this time. */
const longestMs = 15_000
/** With keep-alive, the exchange ends when all requests are answered and nothing more arrives for this time. */
const quietMs = 150

/** Sends the pieces one by one and reads until the server closes the connection. */
export function exchange(port: number, pieces: readonly Buffer[], ending: Ending, expected = 1): Promise<Heard> {
  return new Promise((resolve, reject) => {
    let got = Buffer.alloc(0)
    let quiet: NodeJS.Timeout | undefined
    const socket = connect(port, '127.0.0.1')
    const end = () => {
      clearTimeout(bound)
      clearTimeout(quiet)
      socket.destroy()
      resolve(readAnswers(got))
    }
    const bound = setTimeout(() => {
      socket.destroy()
      reject(new Error(`neither answered nor closed: ${JSON.stringify(got.toString('latin1'))}`))
    }, longestMs)
    socket.on('data', (bytes: Buffer) => {
      got = Buffer.concat([got, bytes])
      clearTimeout(quiet)
      const { answers, rest } = readAnswers(got)
      // An event stream never ends. After an answer without a body it is not parsed as one.
      if (/^content-type: text\/event-stream\r$/im.test(got.toString('latin1'))) return end()
      if (answers.length >= expected && rest === '') quiet = setTimeout(end, quietMs)
    })
    // A server that refuses an incomplete request closes the connection.
    socket.on('error', () => undefined).once('close', end)
    socket.once('connect', () => void sendAll().catch(() => undefined))
    const sendAll = async () => {
      socket.setNoDelay(true)
      for (const piece of pieces) {
        if (socket.destroyed) return
        socket.write(piece)
        if (pieces.length > 1) await new Promise((next) => setImmediate(next))
      }
      if (ending === 'half') socket.end()
      if (ending === 'cut') socket.destroy()
    }
  })
}

/** Parses as many complete answers as there are. */
function readAnswers(bytes: Buffer): Heard {
  const answers: Answer[] = []
  let left = bytes
  for (;;) {
    const read = readAnswer(left)
    if (!read) return { answers, rest: left.toString('latin1') }
    left = left.subarray(read.length)
    if (read.answer.status >= 200) answers.push(read.answer)
  }
}

function readAnswer(bytes: Buffer): { answer: Answer; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (Number.isNaN(status)) return null
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const start = headEnd + 4
  // An event stream never ends, so its headers count as the complete answer.
  if (headers['content-type'] === 'text/event-stream')
    return { answer: { status, headers, body: '' }, length: bytes.length }
  const body = headers['transfer-encoding'] === 'chunked' ? chunked(bytes, start) : sized(bytes, start, headers)
  return body && { answer: { status, headers, body: body.text }, length: body.end }
}

interface Body {
  text: string
  /** Index after its last byte. */
  end: number
}

function sized(bytes: Buffer, start: number, headers: Record<string, string>): Body | null {
  const end = start + Number(headers['content-length'] ?? 0)
  return end > bytes.length ? null : { text: bytes.subarray(start, end).toString('utf8'), end }
}

function chunked(bytes: Buffer, start: number): Body | null {
  const chunks: Buffer[] = []
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    const next = lineEnd + 2 + length + 2
    if (next > bytes.length) return null
    if (length === 0) return { text: Buffer.concat(chunks).toString('utf8'), end: next }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = next
  }
}
