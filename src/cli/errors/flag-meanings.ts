/** Flags by meaning: what people type from the habits of other tools, and what it is called here. */

/** In the order in which they are tried: the command has to have the flag. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  '-q': ['jq'],
  '-L': ['limit'],
  '-n': ['limit'],
  '-s': ['status'],
  '-S': ['search'],
  '-t': ['event'],
  '-f': ['field'],
  '-d': ['input', 'field'],
  '--data': ['input', 'field'],
  '--format': ['output'],
  '--template': ['jq'],
  '--query': ['jq'],
  '--filter': ['jq'],
  '--fields': ['columns'],
  '--select': ['columns'],
  '--state': ['status', 'outcome'],
  '--result': ['outcome'],
  '--max': ['limit'],
  '--count': ['limit'],
  '--first': ['limit'],
  '--max-results': ['limit'],
  '--page-size': ['limit'],
  '--paginate': ['all'],
  '--page': ['starting-after'],
  '--cursor': ['starting-after'],
  '--after': ['since', 'starting-after'],
  '--from': ['since', 'start-date'],
  '--before': ['until'],
  '--to': ['until', 'end-date'],
  '--number': ['phone', 'search'],
  '--phone': ['search'],
  '--name': ['search'],
  '--search': ['lead'],
  '--tel': ['phone'],
  '--id': ['lead', 'external-id'],
  '--url': ['forward-to'],
  '--port': ['forward-to'],
  '--events': ['event'],
  '--force': ['yes'],
  '--confirm': ['yes'],
  '--debug': ['verbose'],
  '--trace': ['verbose'],
  '--api-key': ['profile'],
  '--key': ['profile'],
  '--live': ['profile'],
  '--test': ['profile'],
  '--env': ['profile'],
  '--output-file': ['download'],
  '--out': ['download'],
}

/** What other tools do with a flag and this one does with a command. */
const commands: Readonly<Record<string, string>> = {
  '--outcome': 'svc leads list --outcome lists leads by their last outcome, svc calls list --outcome calls.',
  '--world':
    'svc simulate worlds create makes an isolated world; svc simulate --world <file> starts a simulator with the world of a file.',
  '--web': 'svc open shows the console of a simulator in the browser.',
}

/** What to type instead of an unknown flag, as a sentence; undefined if nothing is known. */
export function flagMeaning(flag: string, flags: readonly string[]): string | undefined {
  const found = elsewhere[flag]?.find((one) => flags.includes(one))
  return found === undefined ? commands[flag] : `Did you mean --${found}?`
}
