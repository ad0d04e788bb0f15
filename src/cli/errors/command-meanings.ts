/** Commands by meaning: what people type from the habits of other tools, and what it is called here. */

/** Words of one meaning. Each group has at most one command in a topic. */
const verbs: readonly (readonly string[])[] = [
  ['add', 'create', 'new', 'make', 'insert'],
  ['delete', 'remove', 'rm', 'del', 'destroy', 'erase', 'purge'],
  ['get', 'show', 'view', 'describe', 'info', 'read', 'inspect'],
  ['list', 'ls', 'all', 'index'],
  ['update', 'edit', 'change', 'set', 'modify', 'patch'],
  ['pause', 'stop', 'disable', 'suspend', 'halt', 'deactivate'],
  ['resume', 'start', 'enable', 'unpause', 'continue', 'activate', 'restart'],
  ['tail', 'watch', 'follow', 'stream', 'logs'],
  ['resend', 'retry', 'replay', 'redeliver'],
  ['import', 'upload', 'load'],
  ['use', 'switch', 'select'],
  ['save', 'backup'],
]

/** Commands that other tools have elsewhere or under another name. */
const elsewhere: Readonly<Record<string, string>> = {
  listen: 'webhooks listen',
  forward: 'webhooks listen',
  trigger: 'webhooks trigger',
  sign: 'webhooks sign',
  verify: 'webhooks verify',
  resend: 'events resend',
  replay: 'events resend',
  tail: 'events tail',
  logs: 'events tail',
  import: 'leads import',
  export: 'exports create',
  'leads export': 'exports create',
  'calls export': 'exports create',
  'leads download': 'exports create',
  'events listen': 'webhooks listen',
  'events forward': 'webhooks listen',
  'events trigger': 'webhooks trigger',
  'leads search': 'leads list',
  'leads find': 'leads get',
  'leads call': 'calls start',
  'leads block': 'dnc add',
  'leads optout': 'leads opt-out',
  call: 'calls start',
  block: 'dnc add',
  unblock: 'dnc remove',
  'dnc unblock': 'dnc remove',
  'dnc block': 'dnc add',
  snapshot: 'simulate snapshot',
  advance: 'simulate advance',
  clock: 'simulate clock',
  reset: 'simulate reset',
  serve: 'simulate',
  'simulate start': 'simulate',
  'auth login': 'login',
  'auth logout': 'logout',
  'auth status': 'whoami',
  auth: 'login',
  status: 'whoami',
  me: 'whoami',
  config: 'profiles list',
  request: 'api',
  curl: 'api',
  completions: 'completion',
  browse: 'open',
  get: 'api',
  post: 'api POST',
  fixtures: 'webhooks trigger',
  search: 'leads get',
  'leads count': 'usage',
  stats: 'usage',
}

/** The flag that takes the word after a command without arguments. */
const flagsOfWord: Readonly<Record<string, string>> = {
  'calls start': '--lead',
  'calls list': '--lead',
  'leads add': '--phone',
  'leads list': '--campaign',
  'exports create': '--type',
  'webhooks create': '--url',
  'webhooks listen': '--forward-to',
  'events list': '--event',
  'events tail': '--event',
  usage: '--period',
}

/** The flag that probably takes a word which the command does not take. */
export const flagOfWord = (command: string): string | undefined => flagsOfWord[command]

/** Actions that do not exist, and what to do instead. */
const missing: Readonly<Record<string, string>> = {
  'leads delete': 'Leads cannot be deleted. svc leads opt-out <lead> stops all calls to a person.',
  'calls delete': 'Calls cannot be deleted: they are the record of what happened.',
  'events delete': 'Events cannot be deleted. The service keeps them for 30 days.',
  'campaigns add': 'Campaigns are created in the app. In a simulator, svc simulate campaign creates one.',
  'campaigns delete': 'Campaigns cannot be deleted. svc campaigns pause <campaign> stops the calls.',
  'calls pause': 'A call cannot be stopped. svc campaigns pause <campaign> starts no further calls.',
  'simulate pause': 'Ctrl-C stops a simulator, and svc simulate clock --pause its clock.',
  'simulate resume': 'svc simulate starts a simulator, and svc simulate clock --resume its clock.',
  'exports get':
    'svc exports create --download <file> creates and saves an export; svc exports list shows earlier ones.',
}

/** `used` is the number of typed words that the command stands for; the others are its arguments. */
export type Meaning = { command: string; used: number } | { reason: string } | undefined

/** Returns the command with the same meaning, or why there is none. `commands` lists all commands and topics. */
export function findMeaning(words: readonly string[], commands: readonly string[]): Meaning {
  for (let length = Math.min(words.length, 3); length > 0; length--) {
    const command = elsewhere[words.slice(0, length).join(' ').toLowerCase()]
    if (command !== undefined) return { command, used: length }
  }
  const [topic = '', verb = ''] = words
  const group = verbs.find((all) => all.includes(verb.toLowerCase()))
  if (!group) return undefined
  const command = group.map((one) => `${topic} ${one}`).find((one) => commands.includes(one))
  if (command !== undefined) return { command, used: 2 }
  const reason = group.map((one) => missing[`${topic} ${one}`]).find((one) => one !== undefined)
  if (reason !== undefined) return { reason }
  // A word of another meaning would be a bad guess: resume for remove.
  return commands.includes(topic) ? { reason: `There is nothing to ${verb} in ${topic}.` } : undefined
}
