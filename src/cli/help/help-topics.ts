/** Help topics that cover all commands: exit codes, environment variables, output formats. */
import { defaultBaseUrl } from '../../config/settings.js'
import type { formats } from '../../output/format.js'
import { layOutRows, wrapText } from './help-layout.js'
import { exitMeanings } from '../errors/exit-codes.js'

interface HelpTopic {
  summary: string
  /** The text for a terminal of this width. */
  text: (width: number) => string
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

const selections: Readonly<Record<string, string>> = {
  '--columns id,phone': 'select columns, or fields of JSON',
  '--json id,phone': 'print JSON with only these fields',
  "--jq '.data[].phone'": 'filter JSON with a jq expression; strings are printed raw',
}

/** Paragraphs and rows, with an empty line between them. */
const pageOf = (...parts: readonly (readonly string[])[]): string =>
  `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`

const rowsOf = (rows: Readonly<Record<string, string>>, width: number): string[] =>
  layOutRows(Object.entries(rows), width)

export const helpTopics: Readonly<Record<string, HelpTopic>> = {
  'exit-codes': {
    summary: 'Exit codes and their meanings',
    text: (width) => pageOf(['Each exit code has one meaning.'], rowsOf(exitMeanings, width)),
  },
  environment: {
    summary: 'Environment variables and the order of settings',
    text: (width) =>
      pageOf(
        wrapText(
          'Settings come from flags first, then the environment, then the profile, then the default. svc whoami shows the source of each.',
          width,
        ),
        rowsOf(variables, width),
      ),
  },
  output: {
    summary: 'Output formats and streams',
    text: (width) =>
      pageOf(
        wrapText(
          'Results go to stdout; prompts, notes and errors go to stderr. --output, or -o, sets the format.',
          width,
        ),
        rowsOf(meanings, width),
        wrapText('Fields are named as in the API. Use a dot for fields inside an object: lead.phone.', width),
        rowsOf(selections, width),
        wrapText(
          'With JSON output, an error is one JSON document on stderr: { "error": { ... }, "exit_code": n }.',
          width,
        ),
      ),
  },
}
