/** Help that belongs to no single command: exit codes, environment, output. */
import { defaultBaseUrl } from '../../config/settings.js'
import type { formats } from '../../output/format.js'
import { exitMeanings } from '../errors/exit-codes.js'

interface HelpTopic {
  summary: string
  text: string
}

const variables: Readonly<Record<string, string>> = {
  SVC_PROFILE: 'the profile to use, as --profile',
  SVC_BASE_URL: `the address of the API, as --base-url; ${defaultBaseUrl} if nothing says otherwise`,
  SVC_KEY_ID: 'the id of the key, ck_...; without it the secret goes as a Bearer token',
  SVC_SECRET: 'the secret of the key, cs_...',
  SVC_CONFIG_DIR: 'the folder of the profiles',
  SVC_CONTROL_TOKEN: 'the token of the control plane, as --control-token, for svc simulate and the commands below it',
  SVC_WEBHOOK_SECRET: 'the secret that svc webhooks sign, verify, trigger and listen use, as --secret',
  SVC_TIMEOUT: 'how long one answer of the service may take in all, such as 30s; 5m if left out, 0 for any time',
  SVC_DATA_DIR: "the folder of the simulator's data file, and of what svc leads import needs to go on",
  SVC_NO_INPUT: 'never ask, as --no-input; CI does the same',
  SVC_DEBUG: 'show where in the program an error arose',
  NO_COLOR: 'no colours, as --no-color',
}

const meanings: Readonly<Record<(typeof formats)[number], string>> = {
  table: 'columns for a person; the usual one at a terminal',
  json: 'the body of the reply as it came; with --all one document of all pages',
  ndjson: 'one object a line',
  csv: 'a line of names, then a line an object',
  tsv: 'the same with tabs; the usual one in a pipe. In values \\t, \\n, \\r and \\\\ stand for tab, newline, return and backslash, \\x1b and \\u202e for other control characters',
}

function listed(rows: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length))
  return Object.entries(rows)
    .map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`)
    .join('\n')
}

export const helpTopics: Readonly<Record<string, HelpTopic>> = {
  'exit-codes': {
    summary: 'what the exit codes mean',
    text: `The exit code says how a command ended.\n\n${listed(exitMeanings)}\n`,
  },
  environment: {
    summary: 'variables that are read, and what comes before what',
    text: `A flag comes first, then the environment, then the profile, then the default. svc whoami shows where each came from.\n\n${listed(variables)}\n`,
  },
  output: {
    summary: 'how results are printed, and where',
    text:
      `Results go to stdout; questions, notes and errors go to stderr. --output, or -o, says how results look.\n\n${listed(meanings)}\n\n` +
      '--columns id,phone picks columns of table, csv and tsv by the names of the API; a dot leads into an object: lead.phone.\n' +
      'With JSON an error is one JSON document on stderr: { "error": { ... }, "exit_code": n }.\n',
  },
}
