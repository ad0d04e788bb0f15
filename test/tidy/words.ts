/** Tidy rules about words: the project speaks of itself alone, and runs anywhere. */
import { matchingLines } from './leftovers.js'
import { inEach, type Rule } from './rule.js'

/** What a reader elsewhere could not follow, by kind. Each is written so that this file does not match itself. */
const foreign: readonly RegExp[] = [
  // A number in an issue tracker.
  /\b(?:issues?|pull requests?|PRs?|tickets?) #?\d+/i,
  /(?<![\w&#/'"`[])#\d+\b(?!-)/,
  // Places outside the project, and those of one machine.
  /(?<![\w.-])shared[/](?!\*)/,
  /(?<![\w.])[/](?:work|root)[/]\w/,
  /[/]tmp[/]bash_jobs/,
  /\bnotes[/][\w-]+\.md/,
  // Hosts that packages come from.
  /\bregistry\.[\w-]+\.\w+|\b(?:npm|yarn)(?:js|pkg)\.(?:org|com)\b|\bnpmmirror\b/i,
]

const isText = (path: string) => !/^package-lock\.json$/.test(path)
const planted = (...parts: string[]) => parts.join('')

/** A lockfile entry that names a host ties the install to it. A hash and a version are enough. */
const hostInLock = /"resolved": "(?:git\+)?(?:https?|ssh|file):[^"]*"/

export const wordRules: readonly Rule[] = [
  {
    name: 'no text points out of the project',
    covers: isText,
    faults: inEach((source) => foreign.flatMap((pattern) => matchingLines(source, pattern))),
    planted: [
      {
        files: {
          'src/a.ts': planted('// see issue', ' 2\n// fixes #', '12\n'),
          'docs/b.md': planted('In sha', 'red/design.md and /wo', 'rk/main, /ro', 'ot/x.\n'),
          'test/c.ts': planted("'/tm", "p/bash_jobs'\n// not", 'es/libraries.md\n'),
          '.npmrc': planted('registry=https://regi', 'stry.npm', 'js.org/\n'),
        },
        faults: [
          planted('src/a.ts:1 says "issue', ' 2"'),
          planted('src/a.ts:2 says "#', '12"'),
          planted('docs/b.md:1 says "sha', 'red/"'),
          planted('docs/b.md:1 says "/wo', 'rk/m"'),
          planted('test/c.ts:1 says "/tm', 'p/bash_jobs"'),
          planted('test/c.ts:2 says "not', 'es/libraries.md"'),
          planted('.npmrc:1 says "regi', 'stry.npm', 'js.org"'),
        ],
      },
      {
        files: {
          'src/a.ts': "// issues a key; a work/life matter\nconst colour = '#112233'\nclass A { #shared = 1 }\n",
          'docs/b.md': '[a heading](#2-numbers), lists/work/done, &#39;, a package registry\n',
        },
        faults: [],
      },
    ],
  },
  {
    name: 'the lockfile names no host',
    covers: (path) => path === 'package-lock.json',
    faults: inEach((source) => matchingLines(source, hostInLock)),
    planted: [
      {
        files: {
          'package-lock.json': '{\n  "resolved": "https://packages.example/a.tgz",\n  "integrity": "sha512-x"\n}\n',
        },
        faults: ['package-lock.json:2 says ""resolved": "https://packages.example/a.tgz""'],
      },
      { files: { 'package-lock.json': '{ "url": "https://example.com/funding", "resolved": "" }\n' }, faults: [] },
    ],
  },
]
