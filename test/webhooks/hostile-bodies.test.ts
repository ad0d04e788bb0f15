/** Unsigned bodies of any nesting, sent to a receiver that has little memory. */
import { request } from 'undici'
import { expect, it } from 'vitest'
import { Program } from '../support/programs/program.js'

const longest = 1_000_000

/** JSON of about the given length: brackets around numbers, as deep as `share` of the length says. */
function nested(length: number, share: number, [open, close]: readonly [string, string]): string {
  const depth = Math.floor((length * share) / (open.length + close.length))
  const numbers = '1,'.repeat(Math.floor((length * (1 - share)) / 2))
  return `${open.repeat(depth)}[${numbers}1]${close.repeat(depth)}`
}

const brackets = [
  ['[', ']'],
  ['{"a":', '}'],
  ['[1,', ',1]'],
  ['{"a":[', ']}'],
] as const

const bodies = Array.from({ length: 1_000 }, (_, i) => {
  // Most are short: the limit on the length of a guess must hold on both sides of it.
  const length = i % 10 === 0 ? longest : Math.ceil(longest / 2 ** (i % 14))
  return () => nested(length, (i % 7) / 7, brackets[i % brackets.length] ?? ['[', ']'])
})

it('verify: a receiver with a heap of 128 MB survives 1,000 unsigned bodies of every nesting', async () => {
  const program = Program.startWith({ NODE_OPTIONS: '--max-old-space-size=128' }, 'deliveries/receiver-program.ts')
  const url = `http://127.0.0.1:${await program.line()}/`
  const signature = () => `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`
  for (const body of bodies) {
    const headers = { 'service-signature': signature() }
    const { statusCode, body: answer } = await request(url, { method: 'POST', headers, body: body() })
    await answer.dump()
    expect(statusCode).toBe(400)
  }
}, 120_000)
