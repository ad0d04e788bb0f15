/** A command nobody knows: named, with the one that was probably meant. Exit 2, and never a question. */
import type { Hook } from '@oclif/core'
import { nearest } from '../suggest.js'
import { UsageError } from '../usage-error.js'

const longestEcho = 100

const hook: Hook.CommandNotFound = async function ({ id, argv = [], config }) {
  const words = id.split(':')
  const typed = words.join(' ')
  const known = config.commandIDs.map((command) => command.replaceAll(':', ' '))
  const near = nearest(typed, known) ?? nearest([typed, ...argv].join(' '), known)
  // The words after a command that takes none are read as a command below it.
  const command = words.map((_, at) => words.slice(0, -at - 1).join(' ')).find((one) => known.includes(one))
  const isBelow = near?.split(' ').length === words.length
  if (command !== undefined && !isBelow) {
    const rest = typed.slice(command.length + 1, longestEcho)
    throw new UsageError(`svc ${command} takes no "${rest}".`, `svc ${command} --help shows what it takes.`)
  }
  const hint = near === undefined ? 'svc --help lists the commands.' : `Did you mean svc ${near}?`
  throw new UsageError(`There is no command "${typed.slice(0, longestEcho)}".`, hint)
}

export default hook
