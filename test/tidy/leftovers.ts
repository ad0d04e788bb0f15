/** Tidy rules about what work in progress leaves behind: marks, and ways around the compiler and the linter. */
import { inEach, type Rule } from './rule.js'
import type { Source } from './source.js'

const isCode = (path: string) => /\.[jt]s$/.test(path)
const isText = (path: string) => path !== 'package-lock.json'

/** Every line that matches, with what matched. */
export function matchingLines({ path, text }: Source, pattern: RegExp): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line)
    return found === null ? [] : [`${path}:${index + 1} says "${found[0].trim()}"`]
  })
}

// Written so that this file does not match itself.
const mark = new RegExp(String.raw`\b(TO${''}DO|FIX${''}ME|X${''}XX|HA${''}CK)\b`)
const silencer = /@ts-(?:ignore|nocheck|expect-error)|(?:es|ox)lint-disable/

const planted = (...parts: string[]) => parts.join('')

export const leftoverRules: readonly Rule[] = [
  {
    name: 'no mark of unfinished work is left',
    covers: isText,
    faults: inEach((source) => matchingLines(source, mark)),
    planted: [
      {
        files: { 'src/a.ts': planted('\n// FIX', 'ME later\n'), 'docs/a.md': planted('TO', 'DO: write\n') },
        faults: [planted('src/a.ts:2 says "FIX', 'ME"'), planted('docs/a.md:1 says "TO', 'DO"')],
      },
      { files: { 'src/a.ts': '// +1 555 555 01XX\nconst todo = 1\n' }, faults: [] },
    ],
  },
  {
    name: 'neither the compiler nor the linter is silenced',
    covers: isCode,
    faults: inEach((source) => matchingLines(source, silencer)),
    planted: [
      {
        files: {
          'src/a.ts': planted('// @ts-', 'ignore\n', '/* es', 'lint-disable */\n'),
          'bin/b.js': planted('\n// @ts-', 'expect-error\n', '// ox', 'lint-disable-line\n'),
        },
        faults: [
          planted('src/a.ts:1 says "@ts-', 'ignore"'),
          planted('src/a.ts:2 says "es', 'lint-disable"'),
          planted('bin/b.js:2 says "@ts-', 'expect-error"'),
          planted('bin/b.js:3 says "ox', 'lint-disable"'),
        ],
      },
      { files: { 'src/a.ts': '// eslint and @ts are only named here\n' }, faults: [] },
    ],
  },
]
