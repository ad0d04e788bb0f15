/** A change is made when its result can be shown: the reply comes but once, and a secret in it too. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Receiver } from '../support/deliveries/receiver.js'
import { everyCommand, exampleOf, Svc } from '../support/programs/svc.js'

const svc = new Svc()
let receiver: Receiver

beforeAll(async () => {
  receiver = await Receiver.start()
})
afterAll(() => receiver.close())

/** Commands that change nothing, or print without columns. */
const only = /^(simulate|demo|open|api|help|openapi|login|logout|autocomplete|doctor|whoami|usage|version|profiles .*)$/
const reading =
  / (list|get|watch|tail|listen|check|transcript|recording|deliveries|sign|verify|stream|agenda|world|requests|notifications|health|metrics)$/
const importing = `printf 'phone\\n+15550100001\\n' | svc`
const changes = everyCommand()
  .filter(([typed]) => !only.test(typed) && (!reading.test(typed) || typed === 'webhooks listen'))
  .map(([typed, command]): [string, string] => {
    if (typed === 'leads import')
      return [typed, `${importing} leads import - --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11`]
    if (typed === 'dnc import') return [typed, `${importing} dnc import -`]
    return [typed, exampleOf([typed, command])]
  })

/** Commands that cannot be undone, each with `--yes`. */
const destructive = [
  'leads opt-out one',
  'dnc remove one',
  'webhooks delete 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11',
  'simulate reset',
  'simulate snapshot restore one',
  'simulate snapshot delete one',
]

it.concurrent.each(destructive)('svc %s does nothing without a yes where nobody can be asked', async (words) => {
  const env = { SVC_BASE_URL: receiver.url, SVC_SECRET: 'cs_test_a' }
  const ran = await svc.run([...words.split(' '), '--json'], { env })
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(JSON.parse(ran.stderr)).toMatchObject({
    error: {
      message: expect.stringMatching(/^Not confirmed: .*\?$/) as string,
      hint: 'There is no terminal to ask at. Add --yes to go ahead.',
    },
    exit_code: 2,
  })
  expect(receiver.requests.filter(({ method }) => method !== 'GET')).toEqual([])
})

it.concurrent.each(changes)(
  'svc %s changes nothing when its result cannot be shown in the columns asked for',
  async (_typed, line) => {
    const env = { SVC_BASE_URL: receiver.url, SVC_SECRET: 'cs_test_a' }
    const ran = await svc.shell(`${line} --columns nosuch`, { env })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(/Error: There is no column "nosuch"\.\n {2}The columns are: \w+/)
    expect(receiver.requests).toEqual([])
  },
)
