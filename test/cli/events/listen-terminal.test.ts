/** What `webhooks listen` shows a person at a terminal: one aligned line for each event, and how to send failed ones again. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { receive } from '../../support/deliveries/receivers.js'
import { startAtTerminal } from '../../support/programs/at-terminal.js'
import { hasTerminals } from '../../support/programs/terminal.js'

describe.runIf(hasTerminals)('webhooks listen at a terminal', () => {
  it.each([40, 80, 120])('shows the events of a call in columns, %i wide', async (columns) => {
    const { at, run, add } = await startAtTerminal()
    await add('--phone', '+15550100001', '--name', 'Ann')
    await at.simulation.advance('4m')
    const { url } = await receive()
    const words = ['webhooks', 'listen', '--forward-to', url, '--since', '1d', '--limit', '7']
    const { lines, code } = await run(words, columns)
    const events = lines.filter((line) => /^\d\d:\d\d:\d\d /.test(line))
    expect(code).toBe(0)
    expect(events).toHaveLength(7)
    expect(events[0]).toMatch(/^15:00:00 lead\.created +200 +\d+ ms  lead Ann$/)
    expect(new Set(events.map((line) => line.indexOf('lead Ann'))).size).toBe(1)
    // The address is shown once, at the top.
    expect(lines.join('\n').split(new URL(url).host)).toHaveLength(2)
  })

  it('shows a refused event on one line, and the command that sends it again', async () => {
    const { at, run, add } = await startAtTerminal()
    await add('--phone', '+15550100001', '--name', 'Ann')
    await at.simulation.advance('4m')
    const { url } = await receive(500)
    const words = ['webhooks', 'listen', '--forward-to', url, '--since', '1d', '--limit', '1', '--retry', '0']
    const { lines } = await run(words, 200)
    const text = stripVTControlCharacters(lines.join('\n'))
    expect(text).toMatch(/^15:00:00 lead\.created +500 +\d+ ms  lead Ann/m)
    expect(text).toMatch(/svc events resend evt_[0-9a-f]{32} --forward-to/)
  })
})
