/** Summaries of all commands and topics. */
import type { Interfaces } from '@oclif/core'

/** By what the user types. Hidden commands are left out. */
export function summariesOf({ commands, topics }: Pick<Interfaces.Config, 'commands' | 'topics'>): Map<string, string> {
  const typed = (id: string) => id.replaceAll(':', ' ')
  const all = [
    ...topics.map(({ name, description = '' }) => [typed(name), description] as const),
    ...commands.filter(({ hidden }) => !hidden).map(({ id, summary = '' }) => [typed(id), summary] as const),
  ]
  return new Map(all.sort(([a], [b]) => a.localeCompare(b)))
}
