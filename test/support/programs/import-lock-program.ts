/** Takes the lock of an import at each path that it reads on standard input, and says whether it got it. */
import { createInterface } from 'node:readline'
import { lockImport } from '../../../src/cli/import/lock.js'

const say = (word: string): boolean => process.stdout.write(`${word}\n`)

say('ready')
for await (const path of createInterface(process.stdin)) {
  try {
    lockImport(path)
    say('taken')
  } catch {
    say('refused')
  }
}
