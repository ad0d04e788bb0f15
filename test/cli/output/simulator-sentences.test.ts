/** Sentences that say at a terminal what a command did in the simulator. */
import { describe, expect, it } from 'vitest'
import { describeFault, describeScript } from '../../../src/cli/results/simulator.js'
import { hasTerminals } from '../../support/programs/terminal.js'
import { startAtTerminal } from '../../support/programs/at-terminal.js'

describe.runIf(hasTerminals)('simulate at a terminal says what was done and what is next', () => {
  it('to the clock, by advance, clock and reset', async () => {
    const { last } = await startAtTerminal()
    expect(await last('simulate', 'advance', '4m')).toBe(
      'The clock shows 2026-10-01 15:04:00 UTC. Nothing happened on the way.',
    )
    expect(await last('simulate', 'clock')).toMatch(/^The clock is paused at .*: svc simulate advance 4m moves it\.$/)
    expect(await last('simulate', 'reset', '--yes')).toMatch(/^The simulator is at its beginning again/)
  })

  it('to a lead, given by its phone number', async () => {
    const { at, last, add } = await startAtTerminal()
    await at.simulation.changeCampaign({ status: 'paused' })
    await add('--phone', '+15550100001', '--name', 'Ann')
    const id = expect.stringMatching(/^Return the lead: svc simulate leads put-back [0-9a-f-]{36}$/) as string
    expect(await last('simulate', 'leads', 'take-out', '+15550100001')).toEqual(id)
    expect(await last('simulate', 'leads', 'put-back', '+15550100001')).toBe(
      'Ann is held, because the campaign is paused.',
    )
    expect(await last('simulate', 'leads', 'dial-at', '+15550100001', '2026-10-02T15:00:00Z')).toBe(
      'Ann will be called at 2026-10-02 15:00 UTC.',
    )
  })

  it('to a snapshot, a campaign given by its name, and a key', async () => {
    const { last, run } = await startAtTerminal()
    expect(await last('simulate', 'snapshot', 'save', 'before lunch')).toBe(
      "Return to it: svc simulate snapshot restore 'before lunch'",
    )
    const { lines } = await run(['simulate', 'snapshot', 'save', 'before lunch'])
    expect(lines.at(-2)).toMatch(/^The earlier snapshot before lunch was replaced\. /)
    expect(await last('simulate', 'snapshot', 'delete', 'before lunch', '--yes')).toBe(
      'The snapshot before lunch was deleted.',
    )
    expect(await last('simulate', 'campaign', 'Web leads', '--lines', '2')).toBe('The campaign Web leads was changed.')
    expect(await last('simulate', 'key', '--mode', 'test')).toBe('A test key was created.')
  })

  it('to a number, by text, script and dnc', async () => {
    const { last } = await startAtTerminal()
    expect(await last('simulate', 'script', '+12125557812', 'busy')).toBe('Let time pass: svc simulate advance 4m')
    expect(await last('simulate', 'script', 'all', '--clear')).toBe(
      '1 script removed: the outcomes of calls are random again.',
    )
    expect(await last('simulate', 'text', '+12125557812', 'STOP')).toBe(
      '+12125557812 is opted out: the number is on the Do Not Call list now.',
    )
    expect(await last('simulate', 'dnc', '+12125557812')).toBe(
      '0 numbers put on the Do Not Call list, 1 refused: listed already, or not a phone number.',
    )
  })
})

const requests = { id: 'f', count: 1, to: 'requests' } as const
const webhooks = { id: 'f', count: 2, to: 'webhooks' } as const
it.each([
  [{ ...requests, method: 'POST', path: '/leads', status: 503 }, 'The next POST request to /leads gets the error 503.'],
  [{ ...requests, count: 3, latency_ms: 2000 }, 'The next 3 requests are answered 2 s late.'],
  [
    { ...requests, drop: true, after_commit: true },
    'The next request is cut off without an answer, after the change was saved.',
  ],
  [{ ...webhooks, duplicate: 2, event: 'call.*' }, 'The next 2 webhooks of call.* are sent 2 more times.'],
  [{ ...webhooks, count: 1, delay: '5m' }, 'The next webhook is sent 5m later.'],
  [{ ...webhooks, count: 1, stale: 600 }, 'The next webhook gets a signature that is 600s old.'],
] as const)('a fault is described: %j', (fault, sentence) => expect(describeFault(fault)).toBe(sentence))

it('a script is described call by call', () => {
  expect(describeScript('+12125557812', [{ answer: 'no_answer' }, { answer: 'person', outcome: 'interested' }])).toBe(
    'The next calls to +12125557812: no answer, then a person answers (interested). Calls after that repeat the last one.\n' +
      'Let time pass: svc simulate advance 4m',
  )
})
