/** Help topics that cover all commands: exit codes, environment variables, output formats. */
import { defaultBaseUrl } from '../../config/settings.js'
import type { formats } from '../../output/format.js'
import { exitMeanings } from '../errors/exit-codes.js'

interface HelpTopic {
  summary: string
  text: string
}

const variables: Readonly<Record<string, string>> = {
  SVC_PROFILE: 'profile to use, like --profile',
  SVC_BASE_URL: `base address of the API, like --base-url; ${defaultBaseUrl} by default`,
  SVC_KEY_ID: 'id of the key, ck_...; without it, the secret is sent as a Bearer token',
  SVC_SECRET: 'secret of the key, cs_...',
  SVC_CONFIG_DIR: 'folder of the profiles',
  SVC_CONTROL_URL:
    'address of the control plane for the subcommands of svc simulate, such as http://127.0.0.1:4010/_sim; by default the host of the base address',
  SVC_CONTROL_TOKEN: 'token of the control plane, like --control-token, for svc simulate and its subcommands',
  SVC_WEBHOOK_SECRET: 'secret for svc webhooks sign, verify, trigger and listen, like --secret',
  SVC_TIMEOUT: 'timeout of one request, such as 30s; 5m by default, 0 for none',
  SVC_DATA_DIR: "folder of the simulator's data file and of the journals that imports resume from",
  SVC_NO_INPUT: 'never prompt, like --no-input; CI has the same effect',
  SVC_DEBUG: 'show the stack trace of an error',
  NO_COLOR: 'print no colors, like --no-color',
}

const meanings: Readonly<Record<(typeof formats)[number], string>> = {
  table: 'aligned columns; the default at a terminal',
  json: 'the unchanged body of the reply; with --all, one document with all pages',
  ndjson: 'one object per line',
  csv: 'a header row, then one row per object',
  tsv: 'like csv with tabs; the default in a pipe. Values escape tab, newline, return and backslash as \\t, \\n, \\r and \\\\, and other control characters like \\x1b and \\u202e',
}

function formatRows(rows: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length))
  return Object.entries(rows)
    .map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`)
    .join('\n')
}

export const helpTopics: Readonly<Record<string, HelpTopic>> = {
  'exit-codes': {
    summary: 'Exit codes and their meanings',
    text: `Each exit code has one meaning.\n\n${formatRows(exitMeanings)}\n`,
  },
  environment: {
    summary: 'Environment variables and the order of settings',
    text: `Settings come from flags first, then the environment, then the profile, then the default. svc whoami shows the source of each.\n\n${formatRows(variables)}\n`,
  },
  output: {
    summary: 'Output formats and streams',
    text:
      `Results go to stdout; prompts, notes and errors go to stderr. --output, or -o, sets the format.\n\n${formatRows(meanings)}\n\n` +
      'Fields are named as in the API. Use a dot for fields inside an object: lead.phone.\n' +
      '  --columns id,phone      select columns, or fields of JSON\n' +
      '  --json id,phone         print JSON with only these fields\n' +
      "  --jq '.data[].phone'   filter JSON with a jq expression; strings are printed raw\n\n" +
      'With JSON output, an error is one JSON document on stderr: { "error": { ... }, "exit_code": n }.\n',
  },
}
