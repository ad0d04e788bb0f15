/** A command nobody knows: named, with the one that was probably meant. Exit 2. */
import type { Hook } from '@oclif/core'
import { exitCodes } from '../exit.js'
import { nearest } from '../suggest.js'

const hook: Hook.CommandNotFound = async function ({ id, argv = [], config }) {
  const typed = id.replaceAll(':', ' ')
  const known = config.commandIDs.map((command) => command.replaceAll(':', ' '))
  const near = nearest(typed, known) ?? nearest([typed, ...argv].join(' '), known)
  const hint = near ? `Did you mean svc ${near}?` : 'svc --help lists the commands.'
  const json = argv.includes('--json')
  const message = `There is no command "${typed.slice(0, 100)}".`
  const document = { error: { code: 'usage', message, hint }, exit_code: exitCodes.usage }
  process.stderr.write(json ? `${JSON.stringify(document)}\n` : `Error: ${message}\n  ${hint}\n`)
  process.exit(exitCodes.usage)
}

export default hook
