/** The call that a command is about: given by id, or the last call of a lead. */
import * as Flags from '@oclif/core/flags'
import type { Client, Contract } from '../../client/client.js'
import type { SvcCommand } from '../base/command.js'
import { callChoices } from '../input/questions/choices.js'
import { UsageError } from '../errors/usage-error.js'

export const lastCallFlag = {
  lead: Flags.string({
    summary: 'Use the last call of this lead, given by id, phone or external id',
    helpValue: '<lead>',
  }),
}

/** Returns the id of the call. Asks for it if neither is given. */
export async function findCall(
  command: SvcCommand,
  client: Client<Contract>,
  id: string | undefined,
  lead: string | undefined,
  has?: 'recording_available' | 'transcript_available',
): Promise<string> {
  if (id !== undefined && lead !== undefined) throw new UsageError('Name the call by its id or by --lead, not by both.')
  if (lead !== undefined) return (await command.lookup(client)).lastCallOf(lead)
  const hint = 'Name the call by its id, or use the last call of a lead with --lead.'
  const [call = ''] = await command.promptForMissing({
    ...{ flag: '<call>', label: 'Call', typedLabel: 'Call (its id)', value: id, hint },
    choices: () => callChoices(client, has),
    ifNone: has === undefined ? 'There are no calls yet.' : 'There is no call that is over and has one.',
    isOpen: true,
  })
  return (await command.lookup(client)).call(call)
}
