/** Lists the words that can stand at the cursor. */
import { answers, eventTypes } from '../../contract/enums.js'
import { permissions } from '../../contract/permissions.js'
import { helpTopics } from '../help/help-topics.js'
import { columnsOf } from './columns-of-command.js'
import { findPosition, type Listed, type ListedFlag, type Position } from './position.js'

export interface Candidate {
  value: string
  about: string
  /** Other words for the same thing. They are offered only if the typed word begins none of the values. */
  others?: readonly Candidate[]
}

/** A list of words; a list that is continued with a comma; or file names, which the shell completes. */
export interface Candidates {
  kind: 'words' | 'list' | 'files'
  words: Candidate[]
  /** How the names of the files end that are offered, if there are any. */
  endings?: readonly string[]
}

/** The tree of commands, as the manifest has it. */
export interface CommandTree {
  commands: Readonly<Record<string, Listed>>
  /** Summaries of topics. */
  topics: readonly { name: string; description?: string | undefined }[]
}

/** Lists names from outside this program. Each list is empty if it cannot be read in time. */
export interface Names {
  profiles: () => Candidate[]
  /** Names and ids of campaigns. */
  campaigns: () => Promise<{ id: string; name: string; status: string }[]>
  endpoints: () => Promise<Candidate[]>
  /** Deliveries to an endpoint. */
  deliveries: (endpoint: string) => Promise<Candidate[]>
  events: () => Promise<Candidate[]>
  /** Reads older ones, too, if none of the newest has a name or id that begins so. */
  leads: (typed: string) => Promise<Candidate[]>
  externalIds: () => Promise<Candidate[]>
  calls: () => Promise<Candidate[]>
  dncEntries: () => Promise<Candidate[]>
  snapshots: () => Promise<Candidate[]>
  worlds: () => Promise<Candidate[]>
  organizations: () => Promise<Candidate[]>
  keys: () => Promise<Candidate[]>
}

/** `namesFor` gets the flags before the cursor, because `--profile` and `--base-url` choose the service. */
export async function findCandidates(
  words: readonly string[],
  tree: CommandTree,
  namesFor: (given: ReadonlyMap<string, string>) => Names,
): Promise<Candidates> {
  if (words[0] === 'help' && words.length > 1) return helpCandidates(words.slice(1), tree)
  const position = findPosition(words, tree.commands)
  if (position.isForeign) return { kind: 'files', words: [] }
  const names = namesFor(position.given)
  const { flag, current, before } = position
  const found = flag
    ? await flagValues(flag, position, names)
    : current.startsWith('-')
      ? wordsOnly(flagWords(position, tree))
      : position.isAfterJson
        ? await wordsAfterJson(position, tree, names)
        : await nextWords(position, tree, names)
  return startingWith(found, current, before)
}

const wordsOnly = (words: Candidate[]): Candidates => ({ kind: 'words', words })
const files: Candidates = { kind: 'files', words: [] }
const filesWith = (...endings: string[]): Candidates => ({ ...files, endings })
/** Files that imports and plans read. */
const tables = filesWith('csv', 'tsv', 'txt', 'xlsx', 'json', 'jsonl', 'ndjson')
const nothing: Candidates = { kind: 'words', words: [] }

function helpCandidates(words: readonly string[], tree: CommandTree): Candidates {
  const position = findPosition(words, tree.commands)
  const topics = Object.entries(helpTopics).map(([value, { summary }]) => ({ value, about: summary }))
  const found = [...subcommands(position.path, tree), ...(position.path.length === 0 ? topics : [])]
  return startingWith(wordsOnly(found), position.current, '')
}

/** Keeps the words that continue the typed one. In a list, only the part after the last comma counts. */
function startingWith({ kind, words, endings }: Candidates, current: string, before: string): Candidates {
  const comma = kind === 'list' ? current.lastIndexOf(',') + 1 : 0
  const [listed, typed] = [current.slice(0, comma), current.slice(comma).toLowerCase()]
  const used = listed.split(',')
  const isMeant = ({ value }: Candidate) =>
    value.toLowerCase().startsWith(typed) && !(kind === 'list' && used.includes(value))
  const found = words.filter(isMeant)
  const others = found.length > 0 || typed === '' ? [] : words.flatMap((word) => word.others ?? []).filter(isMeant)
  const unique = new Map([...found, ...others].map((word) => [word.value, word]))
  return {
    kind,
    ...(endings && { endings }),
    words: [...unique.values()].map(({ value, about }) => ({ value: before + listed + value, about })),
  }
}

/** The fields that `--json` selects, and what can stand there if it selects none. A comma shows which is meant. */
async function wordsAfterJson(position: Position, tree: CommandTree, names: Names): Promise<Candidates> {
  if (!position.command) return nextWords(position, tree, names)
  const fields = await fieldsOf(position)
  if (position.current.includes(',')) return fields
  const next = await nextWords(position, tree, names)
  if (next.kind === 'files') return next
  return next.words.length > 0 ? wordsOnly([...next.words, ...fields.words]) : fields
}

const fieldsOf = async ({ path }: Position): Promise<Candidates> => ({
  kind: 'list',
  words: plain(await columnsOf(path.join(' '))),
})

/** Subcommands, else values of the next argument. */
async function nextWords(position: Position, tree: CommandTree, names: Names): Promise<Candidates> {
  const count = position.argumentsBefore.length
  const below = count === 0 ? subcommands(position.path, tree) : []
  if (below.length > 0 && !position.command) return wordsOnly(below)
  const all = Object.values(position.command?.args ?? {})
  const last = all.at(-1)
  const argument = all[count] ?? (last?.multiple ? last : undefined)
  const values = argument ? await argumentValues(argument, position, names) : nothing
  return values.kind === 'files' ? values : wordsOnly([...below, ...values.words])
}

function subcommands(path: readonly string[], { commands, topics }: CommandTree): Candidate[] {
  const found = new Map<string, string>()
  const start = path.length === 0 ? '' : `${path.join(':')}:`
  for (const { id, hidden, summary = '' } of Object.values(commands)) {
    if (hidden || !id.startsWith(start)) continue
    const [word = '', ...rest] = id.slice(start.length).split(':')
    const topic = topics.find(({ name }) => name === start + word)
    if (rest.length === 0) found.set(word, summary)
    else if (!found.has(word)) found.set(word, topic?.description ?? '')
  }
  return [...found].map(([value, about]) => ({ value, about })).sort((a, b) => a.value.localeCompare(b.value))
}

/** All flags that are not given yet: those of the command first. */
function flagWords({ command, given }: Position, { commands }: CommandTree): Candidate[] {
  const flags = Object.values((command ?? commands['whoami'])?.flags ?? {}).filter(
    (flag) =>
      !flag.hidden &&
      (command || flag.helpGroup) &&
      (!given.has(flag.name) || (flag.type === 'option' && flag.multiple)),
  )
  const [own, global] = [flags.filter(({ helpGroup }) => !helpGroup), flags.filter(({ helpGroup }) => helpGroup)]
  const spelled = [...own, ...global].flatMap((flag) => {
    const about = flag.summary ?? ''
    const plain = { value: `--${flag.name}`, about }
    return flag.type === 'boolean' && flag.allowNo ? [plain, { value: `--no-${flag.name}`, about }] : [plain]
  })
  return [...spelled, { value: '--help', about: 'Show help' }]
}

/** Loads the table only when it is needed: each press of Tab waits for this program. */
async function errorCodes(): Promise<Candidate[]> {
  const { errorCatalogue } = await import('../../contract/errors/error-codes.js')
  return Object.entries(errorCatalogue).map(([value, { status }]) => ({ value, about: String(status) }))
}

const plain = (values: readonly string[]): Candidate[] => values.map((value) => ({ value, about: '' }))

async function flagValues(flag: ListedFlag, position: Position, names: Names): Promise<Candidates> {
  if (flag.name === 'json' || flag.name === 'columns') return fieldsOf(position)
  if (flag.type !== 'option') return nothing
  if (flag.options) return wordsOnly(plain(flag.options))
  const { path } = position
  const command = path.join(' ')
  switch (flag.name) {
    case 'profile':
      return wordsOnly(names.profiles())
    case 'campaign':
      return wordsOnly(await campaigns(names))
    case 'lead':
      return wordsOnly(await names.leads(position.current))
    case 'leads':
      return command === 'plan' ? tables : nothing
    case 'organization':
      return wordsOnly(await names.organizations())
    case 'permission':
      return { kind: 'list', words: plain(permissions) }
    case 'from':
      return wordsOnly(command === 'simulate worlds create' ? await names.worlds() : [])
    case 'snapshot':
      return wordsOnly(await names.snapshots())
    case 'endpoint':
      return wordsOnly(await names.endpoints())
    case 'event':
      return { kind: flag.multiple ? 'list' : 'words', words: plain(eventTypes) }
    case 'until':
      return wordsOnly(command === 'simulate advance' ? plain(eventTypes) : [])
    case 'external-id':
      return wordsOnly(/^leads (add|update)$|^simulate/.test(command) ? [] : await names.externalIds())
    case 'code':
      return wordsOnly(await errorCodes())
    case 'key':
      return wordsOnly(await names.keys())
    case 'time-zone':
      return wordsOnly(plain(Intl.supportedValuesOf('timeZone')))
    default:
      return filesFor(flag.name, [flag.helpValue].flat()[0])
  }
}

function filesFor(flag: string, helpValue = ''): Candidates {
  if (!helpValue.startsWith('<file')) return nothing
  if (flag === 'world') return filesWith('json')
  if (flag === 'failed-file') return tables
  const ending = /^<file\.(\w+)>$/.exec(helpValue)?.[1]
  return ending === undefined ? files : filesWith(ending)
}

async function argumentValues(
  { name, options }: { name: string; options?: readonly string[] },
  { path, argumentsBefore, current }: Position,
  names: Names,
): Promise<Candidates> {
  if (options) return wordsOnly(plain(options))
  const [topic = '', second = ''] = path
  const command = path.join(' ')
  if (name === 'file') return tables
  if (name === 'type') return wordsOnly(plain(eventTypes))
  if (topic === 'profiles' && second !== 'add') return wordsOnly(names.profiles())
  if (command === 'simulate script' && name === 'call') return wordsOnly(plain(answers))
  if (command === 'webhooks resend') return wordsOnly(await resendable(argumentsBefore, names))
  if (/^simulate snapshot (delete|restore)$/.test(command)) return wordsOnly(await names.snapshots())
  if (command === 'simulate worlds delete')
    return wordsOnly((await names.worlds()).filter(({ value }) => value !== 'main'))
  if (command === 'dnc remove') return wordsOnly(await names.dncEntries())
  return wordsOnly((await lists[name]?.(names, current)) ?? [])
}

/** Deliveries to the endpoint before the cursor. Without one: all recent deliveries, and the endpoints. */
async function resendable([endpoint]: readonly string[], names: Names): Promise<Candidate[]> {
  if (endpoint !== undefined) return names.deliveries(endpoint)
  const endpoints = await names.endpoints()
  const deliveries = await Promise.all(endpoints.map(({ value }) => names.deliveries(value)))
  return [...deliveries.flat(), ...endpoints]
}

/** What arguments name. */
const lists: Readonly<Record<string, (names: Names, typed: string) => Promise<Candidate[]>>> = {
  campaign: (names) => campaigns(names),
  lead: (names, typed) => names.leads(typed),
  call: (names) => names.calls(),
  endpoint: (names) => names.endpoints(),
  event: (names) => names.events(),
  world: (names) => names.worlds(),
  'other-world': (names) => names.worlds(),
  organization: (names) => names.organizations(),
  key: (names) => names.keys(),
}

/** Names; ids where two campaigns have one name, or where the beginning of an id is typed. */
async function campaigns(names: Names): Promise<Candidate[]> {
  const all = await names.campaigns()
  return all.map(({ id, name, status }) => {
    const byId = { value: id, about: `${name} (${status})` }
    return all.filter((one) => one.name === name).length > 1 ? byId : { value: name, about: status, others: [byId] }
  })
}
