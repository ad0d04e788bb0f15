/** Finds out what the word at the cursor is: part of a command, a flag, a flag's value, or an argument. */
import type { Command } from '@oclif/core/command'
import { isFieldList } from '../base/json-fields.js'

/** The parts of a command that the manifest keeps. */
export type Listed = Pick<Command.Loadable, 'id' | 'summary' | 'hidden' | 'flags' | 'args'>
export type ListedFlag = Listed['flags'][string]

export interface Position {
  /** Words of the command or topic typed so far: `leads add`. */
  path: string[]
  /** The command, if the path is one. */
  command: Listed | undefined
  /** The arguments before the cursor. */
  argumentsBefore: readonly string[]
  /** The flag that the word at the cursor is the value of. */
  flag: ListedFlag | undefined
  /** The word at the cursor up to the value: `--status=`, or empty. */
  before: string
  /** The rest of the word at the cursor. */
  current: string
  /** Values of the flags before the cursor, by name. */
  given: ReadonlyMap<string, string>
  /** True if the word at the cursor follows `--json`, and so may be a list of fields. */
  isAfterJson: boolean
  /** True if the word at the cursor belongs to the program that is run after `--`. */
  isForeign: boolean
}

/** `words` are the words after the program's name; the last one is at the cursor and may be empty. */
export function findPosition(words: readonly string[], commands: Readonly<Record<string, Listed>>): Position {
  const path: string[] = []
  const given = new Map<string, string>()
  const argumentsBefore: string[] = []
  const typed = words.slice(0, -1)
  const last = words.at(-1) ?? ''
  const command = () => commands[path.join(':')]
  const position = (more: Partial<Position> = {}): Position => ({
    ...{ path, command: command(), argumentsBefore, given, current: last },
    ...{ flag: undefined, before: '', isAfterJson: false, isForeign: false, ...more },
  })
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at] ?? ''
    if (word === '--') return position({ isForeign: true })
    if (word.startsWith('-') && word !== '-') {
      const [name = '', value] = word.split(/=(.*)/s)
      const flag = flagNamed(name, command() ?? anyCommand(commands))
      if (flag?.type !== 'option' || value !== undefined || isShortWithValue(word)) {
        given.set(flag?.name ?? name.replace(/^--?/, ''), value ?? '')
        if (word === '--json' && isFieldList(typed[at + 1] ?? '')) at++
        continue
      }
      if (at === typed.length - 1) return position({ flag })
      given.set(flag.name, typed[++at] ?? '')
    } else if (argumentsBefore.length === 0 && isPath([...path, word], commands)) path.push(word)
    else argumentsBefore.push(word)
  }
  const [, name, current] = /^(--[^=]+)=(.*)$/s.exec(last) ?? []
  if (name === undefined || current === undefined) return position({ isAfterJson: typed.at(-1) === '--json' })
  const flag = flagNamed(name, command() ?? anyCommand(commands))
  return position({ flag, before: `${name}=`, current })
}

/** True for `-ojson`. */
const isShortWithValue = (word: string): boolean => !word.startsWith('--') && word.length > 2

function flagNamed(name: string, command: Listed | undefined): ListedFlag | undefined {
  const flags = Object.values(command?.flags ?? {})
  if (name.startsWith('--'))
    return flags.find((flag) => flag.name === name.slice(2) || flag.aliases?.includes(name.slice(2)))
  return flags.find(({ char }) => char !== undefined && name.startsWith(`-${char}`))
}

/** Any command: all of them have the global flags. */
const anyCommand = (commands: Readonly<Record<string, Listed>>): Listed | undefined => commands['whoami']

function isPath(path: readonly string[], commands: Readonly<Record<string, Listed>>): boolean {
  const id = path.join(':')
  return Object.keys(commands).some((known) => known === id || known.startsWith(`${id}:`))
}
