/** Tidy rule about the system clock: the linter reports `Date.now()`, this rule reports a date made without a time. */
import { matchingLines } from './leftovers.js'
import { inEach, type Rule } from './rule.js'
import { isCodeIn } from './source.js'

const currentDate = /\bnew Date\(\)|(?<!\bnew )(?<![.\w])Date\(/

export const clockRules: readonly Rule[] = [
  {
    name: 'only the system clock asks for the current date',
    covers: (path) => isCodeIn(path, 'simulator') && path !== 'simulator/kernel/system-clock.ts',
    faults: inEach((source) => matchingLines(source, currentDate)),
    planted: [
      {
        files: { 'simulator/a.ts': 'const a = new Date()\nconst b = Date()\n' },
        faults: ['simulator/a.ts:1 says "new Date()"', 'simulator/a.ts:2 says "Date("'],
      },
      {
        files: {
          'simulator/a.ts': 'const a = new Date(0)\nconst b = localDate()\n',
          'simulator/kernel/system-clock.ts': 'const a = new Date()\n',
          'src/a.ts': 'const a = new Date()\n',
        },
        faults: [],
      },
    ],
  },
]
