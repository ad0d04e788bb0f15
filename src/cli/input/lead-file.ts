/** Leads in a file of JSON: an array of them, or one a line. What each may have is for the simulator to say. */
import { parseJson } from '../../client/json.js'
import type { RequestOf } from '../../contract/base/endpoint.js'
import type { Control } from '../../contract/control.js'
import { UsageError } from '../errors/usage-error.js'

type Leads = NonNullable<RequestOf<Control['loadLeads']>['body']>['leads']

/** Throws `UsageError` with the line that cannot be read. */
export function readLeadFile(file: string, bytes: Buffer): Leads {
  const name = file === '-' ? 'Standard input' : file
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const whole = parseJson(text)
  const leads = Array.isArray(whole)
    ? (whole as unknown[])
    : text.split(/\r?\n/).flatMap((line, i) => leadIn(name, line, i + 1))
  const odd = leads.findIndex((lead) => typeof lead !== 'object' || lead === null || Array.isArray(lead))
  if (odd >= 0) throw new UsageError(`${name}: lead ${odd + 1} is not a JSON object.`)
  if (leads.length === 0) throw new UsageError(`${name} holds no leads.`)
  return leads as Leads
}

function leadIn(name: string, line: string, number: number): unknown[] {
  if (line.trim() === '') return []
  const lead = parseJson(line)
  if (lead === undefined)
    throw new UsageError(
      `${name}: line ${number} is not JSON.`,
      'It holds an array of leads, or one lead a line: {"phone": "+12125557812"}',
    )
  return [lead]
}
