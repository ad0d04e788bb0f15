/** Tidy rules about plain English: few phrases of a private dialect in comments, texts of the program, and pages. */
import ts from 'typescript'
import type { Rule } from './rule.js'
import { isCodeIn, nodesOf, type Source } from './source.js'

/** Phrases that have a plainer form. The comment above each pattern says what to write instead. */
const markers: readonly RegExp[] = [
  // "any client that", "each", "no one" are plainer.
  /\b(?:whoever|whatever|whichever|whomever|somebody|nobody)\b/gi,
  // "again", "correct", "next to" or "compared with", "otherwise".
  /\b(?:anew|afresh|mend(?:s|ed|ing)?|beside|lest|hence|whence|there(?:in|of|by))\b/gi,
  // "gets", "learns", "is given".
  /\b(?:is|are|was|were|been|being|be) told\b|\btells? (?:of|what|whether)\b/gi,
  // "must be", "will be".
  /\b(?:is|are|was|were) to (?:be|come|do|go|have)\b/gi,
  // "is not a", "does not have".
  /\b(?:is|are|was|were|has|have|had) no (?!effect|idea|less|limit|longer|more|need|such|way)\w+/gi,
  // "n", "this number of".
  /\bso (?:many|much)\b(?! (?:as|that))/gi,
  // "only", "except", "separate", "one's".
  /\b(?:\w+s|it|that|them|one) alone\b|\bbut for\b|\bof (?:its|their) own\b/gi,
  // "is", "if there is none".
  /\b(?:it|that|which|who|what|all|each|one|clock|lead|row|time) stands?\b|\bas things stand\b/gi,
  /, where (?:it|one|they|there (?:is|are))\b|\bwhere there is no(?:ne)?\b/gi,
]

interface Line {
  readonly place: string
  readonly text: string
}

/** The comments of a file, line by line. A string that looks like a comment counts as one. */
function commentLines({ path, text }: Source): Line[] {
  return [...text.matchAll(/(?<=^|\s)(?:\/\*\*?([^]*?)\*\/|\/\/ (.*))/g)].flatMap((found) => {
    const first = text.slice(0, found.index).split('\n').length
    const words = found[1] ?? found[2] ?? ''
    return words
      .split('\n')
      .map((line, at) => ({ place: `${path}:${first + at}`, text: line.replace(/^\s*\*\s?/, '') }))
  })
}

/** Strings of at least four words: help texts, errors, notices, and descriptions in the contract. */
function textLines(source: Source): Line[] {
  return [...nodesOf(source)].flatMap((node) => {
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return []
    const text = ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : node.text
    if (text.trim().split(/\s+/).length < 4) return []
    // "There is no flag --x." and "The call has no recording." are plain in an error.
    const plain = text.replace(/\b(?:there (?:is|are)|has|have|had) no\b/gi, '')
    const line = source.text.slice(0, node.getStart()).split('\n').length
    return [{ place: `${source.path}:${line}`, text: plain }]
  })
}

/** The prose of a page, line by line, without code. */
function proseLines({ path, text }: Source): Line[] {
  const prose = text.replace(/^ *(```|~~~)[^]*?^ *\1/gm, (block) => block.replace(/[^\n]+/g, ''))
  return prose.split('\n').map((line, at) => ({ place: `${path}:${at + 1}`, text: line.replace(/`[^`]*`/g, '') }))
}

/** One fault with every place, if there are more markers in 10,000 words than the limit. */
function tooMany(what: string, limit: number, linesOf: (source: Source) => Line[]): Rule['faults'] {
  return (covered) => {
    const lines = covered.flatMap(linesOf)
    const words = lines.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0)
    const found = lines.flatMap(({ place, text }) =>
      markers.flatMap((marker) => [...text.matchAll(marker)].map(([phrase]) => `${place} "${phrase}"`)),
    )
    const rate = Math.round((found.length * 10_000) / Math.max(words, 1))
    if (rate < limit) return []
    return [`${what}: ${rate} phrases in 10,000 words, the limit is ${limit}: ${found.join(', ')}`]
  }
}

const isCode = (path: string) => /\.[jt]s$/.test(path)
const isPage = (path: string) => path.endsWith('.md')

export const englishRules: readonly Rule[] = [
  {
    name: 'comments are plain English',
    covers: isCode,
    faults: tooMany('comments', 20, commentLines),
    planted: [
      {
        files: { 'src/a.ts': '/**\n * Refuses whoever asks,\n * where there is none. */\nconst a = 1 // is told\n' },
        faults: [
          'comments: 3333 phrases in 10,000 words, the limit is 20: ' +
            'src/a.ts:2 "whoever", src/a.ts:3 "where there is none", src/a.ts:4 "is told"',
        ],
      },
      { files: { 'src/a.ts': "const whoever = 'nobody' // The client has no more leads.\n" }, faults: [] },
    ],
  },
  {
    name: 'texts of the program are plain English',
    covers: (path) => isCodeIn(path, 'src', 'commands', 'simulator'),
    faults: tooMany('texts', 10, textLines),
    planted: [
      {
        files: {
          'commands/a.ts':
            "const help = 'Tell whoever asks for it'\nconst text = `Waits $" + '{1} hours, hence late`\n',
        },
        faults: [
          'texts: 2000 phrases in 10,000 words, the limit is 10: commands/a.ts:1 "whoever", commands/a.ts:2 "hence"',
        ],
      },
      { files: { 'src/a.ts': "// Ask whoever.\nconst name = 'whoever asks'\n" }, faults: [] },
    ],
  },
  {
    name: 'pages are plain English',
    covers: isPage,
    faults: tooMany('pages', 15, proseLines),
    planted: [
      {
        files: { 'docs/a.md': '# A\n\n```sh\nnobody\n```\nThe row is mended anew.\n' },
        faults: ['pages: 2857 phrases in 10,000 words, the limit is 15: docs/a.md:6 "mended", docs/a.md:6 "anew"'],
      },
      { files: { 'docs/a.md': '# A\n\nIt says `nobody`. Correct the row.\n' }, faults: [] },
    ],
  },
]
