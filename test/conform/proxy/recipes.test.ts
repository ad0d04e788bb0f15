import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { startSimulator } from '../../../simulator/index.js'
import { blocksOf } from '../../support/document.js'
import { freePort } from '../../support/servers/free-port.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { HashingTap } from './hashing-tap.js'
import { proxyTo } from './proxied.js'

/** Commands of svc do not go through the proxy. The receiver runs in the background. */
const opening = `trap 'kill $(jobs -p) 2> /dev/null' EXIT
svc() { true; }
`
const receiver = `node receiver.mjs > receiver.txt &
until grep -q listening receiver.txt; do sleep 0.1; done`

it('svc proxy passes on the testing recipes byte for byte, and nothing in them departs', async () => {
  const [start = '', ...recipes] = blocksOf('docs/testing-recipes.md')
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text)
  const world = JSON.parse(/<<'END'\n([^]*?)\nEND/.exec(start)?.[1] ?? '{}') as {
    organizations: unknown[]
  }
  const simulator = await startSimulator({
    ...{ port: 0, data: ':memory:', world, paused: true, now: '2026-10-01T15:00:00Z', allowLocalWebhooks: true },
  })
  const behind = await HashingTap.before(simulator.url)
  const { proxy, records } = await proxyTo(`${behind.url}/api/v1/external`, { isLimited: true })
  const before = await HashingTap.before(proxy.url)
  const script = recipes
    .join('\n')
    .replaceAll('http://127.0.0.1:4010', before.url)
    .replaceAll(/(:|listen\()3000\b/g, `$1${await freePort()}`)
    .replace(/^node receiver\.mjs$/m, receiver)
  const shell = spawn('bash', ['-c', opening + script], { cwd: temporaryFolder(), stdio: 'ignore' })
  await once(shell, 'exit')
  before.close()
  behind.close()
  await simulator.close()

  expect(behind.seen.length).toBeGreaterThan(30)
  // A connection that the simulator drops has no reply behind the proxy, and the proxy's own before it.
  const answered = before.seen.filter((exchange) => !exchange.includes('\n502\n'))
  expect(answered.sort()).toEqual(behind.seen.sort())
  expect(
    records.flatMap(({ method, path, departures }) => departures.map((one) => ({ method, path, ...one }))),
  ).toEqual([])
})
