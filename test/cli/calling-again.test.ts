/** Calls to a person who was called a short time ago: what `calls start` asks at a terminal. */
import { describe, expect, it } from 'vitest'
import { SvcAt } from '../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../support/programs/terminal.js'

const enter = '\r'
const phone = '+12125557812'

/** Bob Hall, who was called and hung up. */
async function start(mode: 'live' | 'test' = 'test', talk_seconds = 5) {
  const at = await SvcAt.start({ paused: true }, mode)
  const { simulation } = at
  await simulation.changeCampaign({ any_hour: true })
  const script = { phone, calls: [{ answer: 'person', outcome: 'hung_up', talk_seconds }], mode }
  await simulation.control('POST', '/_sim/scripts', script)
  const { id } = await simulation.lead({ name: 'Bob Hall', phone }, at.client)
  const words = ['calls', 'start', '--lead', id]
  const open = (...more: string[]) =>
    new TerminalSvc(at.svc, [...words, ...more], { env: { ...at.env, CI: '', NO_COLOR: '1' }, columns: 220 })
  const called = async () => (await simulation.readLead(id, at.client)).calls.length
  return { at, words, open, called }
}

describe.runIf(hasTerminals)('calls start at a terminal, for a lead that was called a short time ago', () => {
  it('says when and with which outcome, and asks before another call', async () => {
    const { at, open, called } = await start()
    await at.simulation.advance('2m')
    expect(await called()).toBe(1)
    for (const form of [[], ['--json']]) {
      const terminal = open(...form)
      await terminal.shows(/Bob Hall was called \d+ (minute|second)s? ago \(hung up\)\. Call again\? \(y\/N\)/)
      terminal.type(enter)
      const { code, screen } = await terminal.end()
      expect({ code, screen }).toMatchObject({ code: 2 })
      expect(screen).toContain('Cancelled. Nothing was changed.')
    }
    const agreed = open()
    await agreed.shows(/\(y\/N\)/)
    agreed.type(`y${enter}`)
    expect(await agreed.end()).toMatchObject({ code: 0 })
    await at.simulation.advance('2m')
    expect(await called()).toBe(2)
  })

  it('--yes answers, and a script is not asked', async () => {
    const { at, words, open } = await start()
    await at.simulation.advance('2m')
    const { code, screen } = await open('--yes').end()
    expect({ code, screen }).toMatchObject({ code: 0, screen: expect.not.stringContaining('(y/N)') as string })
    await at.simulation.advance('2m')
    expect(await at.run(words)).toMatchObject({ code: 0, stderr: '' })
  })

  it('says that a call is going on', async () => {
    const { at, open, called } = await start('test', 600)
    await at.simulation.advance('2m')
    const terminal = open()
    await terminal.shows(/A call to Bob Hall is going on\. Call again\? \(y\/N\)/)
    terminal.type(enter)
    expect(await terminal.end()).toMatchObject({ code: 2 })
    expect(await called()).toBe(1)
  })

  it('does not ask a day later', async () => {
    const { at, open } = await start()
    await at.simulation.advance('2m')
    await at.simulation.changeCampaign({ status: 'paused' })
    await at.simulation.advance('25h')
    expect((await open().end()).screen).not.toContain('was called')
  })

  it('says it in the one question of a live key', async () => {
    const { at, open } = await start('live')
    await at.simulation.advance('2m')
    const terminal = open()
    await terminal.shows(
      /LIVE Bob Hall was called \d+ \w+ ago \(hung up\)\. Call 1 person \(Bob Hall, [^]* is free\? \(y\/N\)/,
    )
    terminal.type(enter)
    expect(await terminal.end()).toMatchObject({ code: 2 })
  })
})

describe('calls start in a script, for a lead that was called a short time ago', () => {
  it('asks nothing: starts another call after one that is over, and passes on what the service says of one that goes on', async () => {
    const over = await start()
    await over.at.simulation.advance('2m')
    expect(await over.at.run(over.words)).toMatchObject({ code: 0, stderr: '' })
    await over.at.simulation.advance('2m')
    expect(await over.called()).toBe(2)
    const { at, words, called } = await start('test', 600)
    await at.simulation.advance('2m')
    const ran = await at.run(words)
    expect(ran).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringMatching(
        /^Error: The lead is being dialed or is on a call\.\n[^]*code: lead_busy/,
      ) as string,
    })
    expect(await called()).toBe(1)
  })
})
