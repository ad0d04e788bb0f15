/** A fault of svc is not blamed on the service, and an answer of the wrong shape not on svc. */
import { describe, expect, it } from 'vitest'
import { describeFailure } from '../../../src/cli/errors/report-error.js'
import { explainTypeError, UnreadableAnswerError } from '../../../src/cli/errors/unreadable-answer.js'
import type { Client, Contract } from '../../../src/client/client.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { Svc } from '../../support/programs/svc.js'
import { json, stubServer } from '../../support/servers/stub-server.js'

const fault = new TypeError("Cannot read properties of undefined (reading 'name')")
const options = { command: 'leads get', secrets: [] }

async function replyOf(at: SvcAt): Promise<unknown> {
  return JSON.parse(await at.text('usage', '--json'))
}

const clientWith = (body: unknown): Pick<Client<Contract>, 'lastReplies'> => ({
  lastReplies: new Map([['getUsage', { status: 200, headers: {}, body, requestId: undefined }]]),
})

describe('a TypeError', () => {
  it('after answers that are right is a fault of svc', async () => {
    const client = clientWith(await replyOf(await SvcAt.start()))
    for (const known of [client, undefined]) {
      const failure = describeFailure(await explainTypeError(fault, known), options)
      expect(failure).toMatchObject({ exitCode: 1, error: { code: 'failed' } })
      expect(failure.error.message).toMatch(/^svc has a fault and had to stop \(Cannot read/)
      expect(failure.hint).toContain('SVC_DEBUG=1 shows where')
    }
  })

  it('after an answer of the wrong shape is about the answer', async () => {
    const error = await explainTypeError(fault, clientWith({ data: { object: 'usage' } }))
    expect(error).toBeInstanceOf(UnreadableAnswerError)
    const failure = describeFailure(error, options)
    expect(failure).toMatchObject({ exitCode: 1, hint: expect.stringContaining('Is this the address') as string })
    expect(failure.error.message).toMatch(/^svc cannot read the answer \(Cannot read/)
  })

  it('shows its place with SVC_DEBUG only', async () => {
    const { baseUrl } = await stubServer((_asked, response) => json(response, 200, { data: { object: 'usage' } }))
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }
    const { stderr, code } = await new Svc().run(['usage', '--chart'], { env })
    expect({ stderr, code }).toEqual({
      stderr: expect.stringMatching(/^Error: svc cannot read the answer \(.*\)\.\n {2}Is this .*\n$/) as string,
      code: 1,
    })
    const debugged = await new Svc().run(['usage', '--chart'], { env: { ...env, SVC_DEBUG: '1' } })
    expect(debugged.stderr).toMatch(/TypeError: .*\n {4}at /)
  })

  it('leaves other errors as they are', async () => {
    const error = new Error('no')
    expect(await explainTypeError(error, clientWith({}))).toBe(error)
  })
})
