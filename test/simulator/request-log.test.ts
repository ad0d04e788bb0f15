/** How much memory the log of requests takes. */
import { request } from 'undici'
import { expect, it } from 'vitest'
import { Program } from '../support/programs/program.js'

it('stays within its limit for requests without a key whose queries are long', async () => {
  const program = Program.startWith({ NODE_OPTIONS: '--max-old-space-size=128' }, 'crashes/log-program.ts')
  const baseUrl = await program.line()
  for (let i = 0; i < 2_000; i++) {
    const query = Array.from({ length: 2_000 }, (_, n) => `${(i * 2_000 + n).toString(36)}=`).join('&')
    const { statusCode, body } = await request(`${baseUrl}/leads?${query}`)
    await body.dump()
    expect(statusCode).toBe(401)
  }
}, 120_000)
