// Records docs/images: the built program at a real terminal, against a simulator with a stopped clock, so that every
// recording is the same. Values that still vary (ports, milliseconds) are replaced as in the documents.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { svgOf } from './terminal-svg.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const images = join(root, 'docs', 'images')
const columns = 110
const [apiPort, serverPort] = ['46110', '46111']

/** The commands to type, after hidden preparations. `until` cuts the output after a match. */
const scenes = [
  {
    name: 'demo',
    typed: ['svc demo'],
    until: /^.*transcript .*$/m,
  },
  {
    name: 'leads',
    unseen: `printf 'First Name,Phone,Town\\nAnn,(213) 555-7812,Pasadena\\nBob,(646) 201-1001,Albany\\nCid,12,Troy\\n' > people.csv`,
    typed: [
      'svc leads import people.csv --campaign "$campaign" --map "First Name=name" --map Town=fields.city --yes',
      'cat people.failed.csv',
      'svc leads list --columns name,phone,status,fields',
      'svc dnc check "(212) 555-7812" --columns normalizedPhone,onDncList',
    ],
  },
  {
    name: 'agenda',
    unseen: `for n in 1 2 3 4 5 6; do printf '{"phone":"+1646201100%s","name":"Lead %s"}\\n' $n $n; done > leads.ndjson
echo '{"phone":"+18085557812","name":"Kai, Honolulu"}' >> leads.ndjson
svc simulate leads load leads.ndjson --campaign "$campaign"`,
    typed: ['svc simulate agenda'],
  },
  {
    name: 'listen',
    unseen: `svc leads add --campaign "$campaign" --phone +15550100001
svc simulate advance 4m`,
    typed: [`svc webhooks listen --forward-to ${serverPort} --since 2026-10-01T15:00:00Z --limit 7`],
  },
  {
    name: 'usage',
    unseen: `for n in $(seq 1000 1119); do printf '{"phone":"+1646201%s"}\\n' $n; done > leads.ndjson
svc simulate campaign "$campaign" --lines 1
svc simulate leads load leads.ndjson --campaign "$campaign" --mode live
svc simulate advance 6d`,
    typed: ['svc usage --chart --period 2026-10 --profile simulator-live'],
  },
  {
    name: 'plan',
    unseen: `{ echo name,phone; for n in $(seq 1000 1399); do echo "Lead,+1212201$n"; echo "Lead,+1312201$n"; echo "Lead,+1415201$n"; done; echo Typo,12; } > leads.csv`,
    typed: [
      'svc plan leads.csv --campaign "Web leads" --by "2026-10-06 17:00" --hours "mon-fri 10:00-17:00" --attempts 3 --rate-usd 0.12 --chart',
    ],
  },
]

const marks = { begin: '--- from here ---', end: '--- to here ---' }
const word = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A shell script that plays every scene, each in a fresh world. */
function shellOf(folder) {
  const acts = scenes.map(({ unseen = '', typed }) =>
    [
      'svc simulate reset --yes > unseen 2>&1',
      `{ ${unseen || 'true'}\n} > unseen 2>&1`,
      `echo '${marks.begin}'`,
      ...typed.map((line) => `printf '\\033[1m$ %s\\033[22m\\n' ${word(line)}\n${line} || true`),
      `echo '${marks.end}'`,
    ].join('\n'),
  )
  const server = `require('node:http').createServer((q, r) => q.resume().on('end', () => r.writeHead(204).end())).listen(${serverPort})`
  return `cd ${word(folder)}
set -m
stty cols ${columns} rows 60 -echo
svc() { ${word(process.execPath)} ${word(join(root, 'bin', 'run.js'))} "$@"; }
svc simulate --paused --now 2026-10-01T15:00:00Z --data :memory: --port ${apiPort} > simulator 2>&1 &
${word(process.execPath)} -e ${word(server)} &
trap 'for group in $(jobs -p); do kill -- -$group; done' EXIT
until grep -q 'is ready' simulator; do sleep 0.1; done
campaign=$(svc campaigns list --output tsv --no-header --columns id)
${acts.join('\n')}
`
}

/** A line that was drawn and erased again. */
const progress = new RegExp(String.raw`^.*\r${String.fromCharCode(27)}\[K`, 'gm')

/** Replaces values that differ from run to run. */
function settled(text) {
  const [first = '0:0:0'] = /\b\d\d:\d\d:\d\d\b(?= )/.exec(text) ?? []
  const seconds = (time) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  const moved = (time) =>
    new Date((seconds(time) - seconds(first) + 15 * 3600 + 86_400) * 1000).toISOString().slice(11, 19)
  return text
    .replace(progress, '')
    .replaceAll(apiPort, '4010')
    .replaceAll(serverPort, '3000')
    .replace(/127\.0\.0\.1:\d{5}\/webhooks/g, '127.0.0.1:3000/webhooks')
    .replace(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:4010')
    .replace(/(?<= )\d\d:\d\d:\d\d(?= )/g, moved)
    .replace(/(?<=after )\d+s\b/g, '…')
}

const folder = mkdtempSync(join(tmpdir(), 'images-'))
try {
  writeFileSync(join(folder, 'scenes.sh'), shellOf(folder))
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm-256color', SHELL: '/bin/sh', TZ: 'UTC' }
  const words = ['-qefc', `bash ${word(join(folder, 'scenes.sh'))}`, '/dev/null']
  const { stdout, status } = spawnSync('script', words, { env, encoding: 'utf8', timeout: 300_000, input: '' })
  const shown = stdout.split(`${marks.begin}\r\n`).slice(1)
  if (status !== 0 || shown.length !== scenes.length)
    throw new Error(`the scenes were not played to their end:\n${stdout}`)
  mkdirSync(images, { recursive: true })
  for (const [at, { name, typed, until }] of scenes.entries()) {
    const [all = ''] = settled(shown[at] ?? '').split(marks.end)
    const end = until?.exec(all)
    const text = end ? all.slice(0, end.index + end[0].length) : all
    writeFileSync(join(images, `${name}.svg`), svgOf(text, { title: settled(typed.join('; ')), columns }))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
