/** What the manifest says of all commands and topics. */
import type { Interfaces } from '@oclif/core'
import type { KnownCommands } from '../errors/unknown-command.js'

/** By what the user types. Hidden commands are left out. */
function summariesOf({ commands, topics }: Pick<Interfaces.Config, 'commands' | 'topics'>): Map<string, string> {
  const typed = (id: string) => id.replaceAll(':', ' ')
  const all = [
    ...topics.map(({ name, description = '' }) => [typed(name), description] as const),
    ...commands.filter(({ hidden }) => !hidden).map(({ id, summary = '' }) => [typed(id), summary] as const),
  ]
  return new Map(all.sort(([a], [b]) => a.localeCompare(b)))
}

/** The flags of a command such as `leads list`, as they are typed. Empty for a topic. */
const flagsOfCommand =
  (config: Pick<Interfaces.Config, 'findCommand'>) =>
  (typed: string): string[] =>
    Object.values(config.findCommand(typed.replaceAll(' ', ':'))?.flags ?? {}).flatMap((flag) => [
      `--${flag.name}`,
      ...(flag.char === undefined ? [] : [`-${flag.char}`]),
      ...(flag.type === 'boolean' && flag.allowNo ? [`--no-${flag.name}`] : []),
    ])

export const knownCommandsOf = (config: Interfaces.Config): KnownCommands => ({
  summaries: summariesOf(config),
  flagsOf: flagsOfCommand(config),
})
