/** Hook for unknown commands. Exits 2 and never prompts. */
import type { Hook } from '@oclif/core'
import { knownCommandsOf } from '../../help/command-summaries.js'
import { describeUnknownCommand } from '../../errors/unknown-command.js'

const hook: Hook.CommandNotFound = async function ({ id, argv = [], config }) {
  throw describeUnknownCommand(id, argv, knownCommandsOf(config))
}

export default hook
