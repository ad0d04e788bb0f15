/** Services that never end their answer: a command ends with an error before it uses much memory. */
import { describe, expect, it } from 'vitest'
import { endless } from '../../support/servers/endless-answers.js'
import { json, stubServer } from '../../support/servers/stub-server.js'
import { Svc, type Ran } from '../../support/programs/svc.js'

/** Runs a command in a separate process. `megabytes` is the most memory that it had. */
async function measured(baseUrl: string, words: readonly string[]): Promise<Ran & { megabytes: number }> {
  const report = "process.on('exit',()=>console.error('maxRSS',process.resourceUsage().maxRSS))"
  const svc = new Svc({
    SVC_BASE_URL: baseUrl,
    SVC_SECRET: 'cs_test_a',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}`,
  })
  const ran = await svc.start(words).end()
  return { ...ran, megabytes: Number(/maxRSS (\d+)/.exec(ran.stderr)?.[1]) / 1024 }
}

describe('an answer without an end', () => {
  it.each([
    [['leads', 'list'], 1],
    [['leads', 'list', '--all', '--json'], 1],
    [['doctor'], 1],
    [['webhooks', 'listen', '--forward-to', '9'], 1],
    [['events', 'tail'], 1],
    [['api', '/leads'], 1],
    [['simulate', 'clock'], 2],
  ])('ends svc %j with an error, in less than 300 MB', async (words, code) => {
    const { baseUrl } = await stubServer((_asked, response) => endless(response))
    const ran = await measured(baseUrl, words)
    expect(ran).toMatchObject({ code })
    if (code === 1) expect(ran.stdout + ran.stderr).toContain('more than 64 MB')
    expect(ran.megabytes).toBeLessThan(300)
  })

  it.each(['json', 'table'])(
    'of pages ends svc leads list --all -o %s with an error, in less than 300 MB',
    async (format) => {
      const items = (page: number) =>
        Array.from({ length: 100 }, (_, n) => ({ id: `${page}-${n}`, name: `${page} `.padEnd(40_000, 'x') }))
      const { baseUrl } = await stubServer((asked, response, turn) =>
        asked.path.startsWith('/leads')
          ? json(response, 200, { data: items(turn), meta: { next_cursor: `c${turn}`, has_more: true } })
          : response.writeHead(404).end(),
      )
      const ran = await measured(baseUrl, ['leads', 'list', '--all', '-o', format])
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--output ndjson') as string })
      expect(ran.megabytes).toBeLessThan(300)
    },
  )
})
