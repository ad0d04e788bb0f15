/** Lines of a shell as words, and which lines are left to a shell. */
import { expect, it } from 'vitest'
import { shellWords } from './shell-words.js'

const env = { NAME: 'a "b" $c' }

it.each<[string, string[]]>([
  ['svc leads list --json', ['svc', 'leads', 'list', '--json']],
  ['  svc   help  ', ['svc', 'help']],
  [`svc add 'a $NAME "b"' "c d"`, ['svc', 'add', 'a $NAME "b"', 'c d']],
  ['svc add "x$NAME" --field k=v', ['svc', 'add', 'xa "b" $c', '--field', 'k=v']],
  [`svc add --name='a b'c`, ['svc', 'add', '--name=a bc']],
  ['svc add "" "$NONE"', ['svc', 'add', '', '']],
])('shell words: splits %s', (line, words) => {
  expect(shellWords(line, env)).toEqual(words)
})

it.each([
  'svc leads list | head -1',
  'svc leads list > file',
  'svc leads list; ls',
  'svc leads list &',
  'svc add $NAME',
  'svc add "$(ls)"',
  'svc add *.csv',
  'svc add ~/file',
  'svc add "a \\" b"',
  "svc add 'open",
])('shell words: leaves %s to a shell', (line) => {
  expect(shellWords(line, env)).toBeNull()
})
