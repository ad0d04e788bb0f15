/** Asks what to change about a lead: a list of its values, then the new one, until the person saves. */
import { addressLength, emailLength, externalIdLength, nameLength } from '../../../contract/limits.js'
import type { Lead } from '../../../contract/leads.js'
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import { countOf } from '../../results/words.js'
import { quoteForShell } from '../shell-word.js'
import type { MissingValue } from './prompt-for-missing.js'
import type { Choice } from './questions.js'

type Ask = (...needs: MissingValue[]) => Promise<string[]>

/** What the flags of the command give, by their names. */
export interface LeadChanges {
  name?: string
  email?: string
  address?: string
  'external-id'?: string
  'no-call-now': boolean
  /** Values of --field and --clear. */
  field: string[]
  clear: string[]
}

const plain = [
  { flag: 'name', what: 'name', longest: nameLength, of: (lead: Lead) => lead.name },
  { flag: 'email', what: 'email', longest: emailLength, of: (lead: Lead) => lead.email },
  { flag: 'address', what: 'address', longest: addressLength, of: (lead: Lead) => lead.address },
  { flag: 'external-id', what: 'external id', longest: externalIdLength, of: (lead: Lead) => lead.external_id },
] as const

const [save, addField, giveUp, custom] = ['save', 'add field', 'give up', 'field ']
const longestField = 5000
const shownWidth = 40
/** The answer that clears a value. */
const noValue = '-'

export class LeadQuestions {
  readonly #ask: Ask
  readonly #lead: Lead
  /** New values by what is changed; null clears. */
  readonly #changed = new Map<string, string | null>()

  constructor(ask: Ask, lead: Lead) {
    this.#ask = ask
    this.#lead = lead
  }

  /** At least one change. */
  async changes(): Promise<LeadChanges> {
    for (;;) {
      const picked = await this.#pick()
      if (picked === save) return this.#asFlags()
      if (picked === giveUp) this.#changed.set(giveUp, 'yes')
      else if (picked === addField) await this.#addField()
      else await this.#change(picked)
    }
  }

  async #pick(): Promise<string> {
    const count = this.#changed.size
    const { fields, call_now } = this.#lead
    const own = plain.flatMap(({ flag, what, of }) => this.#offer(flag, what, of(this.#lead)))
    const names = new Set([...Object.keys(fields), ...[...this.#changed.keys()].flatMap(fieldName)])
    const others = [...names].flatMap((name) => this.#offer(custom + name, name, fields[name] ?? null))
    const isGivenUp = this.#changed.has(giveUp)
    const choices: Choice[] = [
      ...(count > 0 ? [{ name: `save ${countOf(count, 'change')}`, value: save }] : []),
      ...own,
      ...others,
      { name: 'a new custom field', value: addField },
      ...(call_now && !isGivenUp ? [{ name: 'give up the place ahead of other leads', value: giveUp }] : []),
    ]
    const label = count > 0 ? 'Next value to change' : 'Value to change'
    const need = { flag: '--name', label, value: undefined, hidden: true, choices: () => Promise.resolve(choices) }
    return (await this.#ask(need))[0] ?? save
  }

  /** A lead keeps the external id that it has. */
  #offer(key: string, what: string, before: string | null): Choice[] {
    if (key === 'external-id' && before !== null) return []
    const now = this.#changed.get(key)
    const shown = (value: string | null) => (value === null ? 'none' : cutTo(shownWidth, stripControlsFromLine(value)))
    const arrow = now === undefined ? '' : ` → ${shown(now)}`
    return [{ name: `${stripControlsFromLine(what)}: ${shown(before)}${arrow}`, value: key, keys: [what] }]
  }

  async #addField(): Promise<void> {
    const check = (name: string) => (name.includes('=') ? 'A name has no =.' : true)
    const [name = ''] = await this.#ask({ ...typed('Name of the custom field'), check })
    await this.#change(custom + name.trim())
  }

  /** The Enter key keeps what is there. */
  async #change(key: string): Promise<void> {
    const field = plain.find(({ flag }) => flag === key)
    const [name = key] = fieldName(key)
    const before = field ? field.of(this.#lead) : (this.#lead.fields[name] ?? null)
    const now = this.#changed.get(key) ?? before
    const longest = field?.longest ?? longestField
    const [answer = ''] = await this.#ask({
      ...typed(`New ${field?.what ?? name}, or ${noValue} for none`),
      ...(now !== null && { usual: () => now }),
      check: (text) => text.length <= longest || `Type ${longest} characters at most.`,
    })
    const value = answer.trim() === noValue ? null : answer.trim()
    if (value === before) this.#changed.delete(key)
    else this.#changed.set(key, value)
  }

  #asFlags(): LeadChanges {
    const changes: LeadChanges = { 'no-call-now': this.#changed.has(giveUp), field: [], clear: [] }
    for (const [key, value] of this.#changed) {
      const [name] = fieldName(key)
      const field = plain.find(({ flag }) => flag === key)
      // --clear of such a name means the value of the lead, and an empty custom field is removed.
      if (value === null && plain.some(({ flag }) => flag === name)) changes.field.push(`${name}=`)
      else if (value === null) changes.clear.push(name ?? key)
      else if (name !== undefined) changes.field.push(`${name}=${value}`)
      else if (field) changes[field.flag] = value
    }
    return changes
  }
}

/** The changes as words of a command line. */
export function wordsOfChanges({ field, clear, 'no-call-now': givesUp, ...values }: LeadChanges): string[] {
  const plainWords = Object.entries(values).flatMap(([flag, value]) => [`--${flag}`, quoteForShell(String(value))])
  return [
    ...plainWords,
    ...field.flatMap((pair) => ['--field', quoteForShell(pair)]),
    ...clear.flatMap((name) => ['--clear', quoteForShell(name)]),
    ...(givesUp ? ['--no-call-now'] : []),
  ]
}

/** The words of the answer are added by the caller. */
const typed = (label: string): MissingValue => ({ flag: '--field', label, value: undefined, spell: () => [] })

/** The name of a custom field; none for another value. */
const fieldName = (key: string): string[] => (key.startsWith(custom) ? [key.slice(custom.length)] : [])
