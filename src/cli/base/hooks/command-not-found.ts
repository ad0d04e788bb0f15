/** What the framework calls where it finds no command. Exit 2, and never a question. */
import type { Hook } from '@oclif/core'
import { describeUnknownCommand } from '../../errors/unknown-command.js'

const hook: Hook.CommandNotFound = async function ({ id, argv = [], config }) {
  throw describeUnknownCommand(id, argv, [...config.commandIDs, ...config.topics.map(({ name }) => name)])
}

export default hook
