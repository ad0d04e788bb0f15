/** Ctrl-Z and fg in a real shell: at a question, and while progress is shown. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { ShellAtTerminal } from '../../support/programs/shell-at-terminal.js'
import { hasShell } from '../../support/programs/shells.js'
import { Svc } from '../../support/programs/svc.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { hasTerminals } from '../../support/programs/terminal.js'
import { json, stubServer } from '../../support/servers/stub-server.js'

const bash = 'bash --norc --noprofile -i'
const ctrlZ = '\u001a'

describe.runIf(hasTerminals && hasShell('bash'))('Ctrl-Z and fg', () => {
  it.each([
    ['drawn', 'xterm-256color'],
    ['plain', 'dumb'],
  ])('come back to a question: %s', async (_kind, TERM) => {
    const at = await SvcAt.start({}, 'test')
    const shell = new ShellAtTerminal(at.svc, bash, { env: { ...at.env, NO_COLOR: '1', TERM } })
    await shell.shows(/ready> /)
    shell.type('svc dnc check\n')
    await shell.shows(/Phone:/)
    shell.type(ctrlZ)
    await shell.shows(/Stopped/)
    shell.type('echo still $((40 + 2))\n')
    await shell.shows(/still 42/)
    shell.type('fg\n')
    await shell.shows(/svc dnc check[^]*Phone:/)
    shell.type('2125557812\r')
    await shell.shows(/\+12125557812 is not on the test Do Not Call list\./)
    await shell.end()
  })

  it('go on with an import, and show its progress again', async () => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    let batches = 0
    const { baseUrl } = await stubServer(({ path }, response) => {
      if (!path.startsWith('/leads/batch')) json(response, 404, { error: { code: 'not_found', message: 'None.' } })
      else if (batches++ === 0) json(response, 429, limited, { 'retry-after': '2' })
      else if (batches === 2) json(response, 200, accepted(60))
      else void released.then(() => json(response, 200, accepted(1)))
    })
    const svc = new Svc()
    const numbers = Array.from({ length: 61 }, (_, at) => `+12125557${100 + at}`)
    writeFileSync(join(svc.folder, 'people.csv'), ['phone', ...numbers, ''].join('\n'))
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a', NO_COLOR: '1' }
    const shell = new ShellAtTerminal(svc, bash, { env })
    await shell.shows(/ready> /)
    shell.type(`svc leads import people.csv --campaign 826568dd-2612-4886-ba0a-fbdca0d4f424 --yes\n`)
    await shell.shows(/60 of 61 leads/)
    shell.type(ctrlZ)
    await shell.shows(/Stopped/)
    shell.type('fg\n')
    await shell.shows(/60 of 61 leads/)
    release()
    await shell.shows(/61 leads added\./)
    await shell.end()
  })
})

const limited = { error: { code: 'lead_rate_limited', message: 'Too many leads a minute.', type: 'rate_limit_error' } }

const accepted = (count: number) => ({
  data: {
    ...{ succeeded: count, failed: 0, dry_run: false, livemode: false },
    results: Array.from({ length: count }, (_, index) => ({
      ...{ index, ok: true },
      lead: { id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, status: 'queued' },
    })),
  },
})
