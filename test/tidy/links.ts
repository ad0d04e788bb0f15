/** Tidy rule about documents: a link within the project leads to a file, and to a heading in it. */
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import type { Rule } from './rule.js'
import type { Source } from './source.js'

/** Code shows links that are not meant to be followed. */
const withoutCode = (text: string) => text.replace(/^(```|~~~)[^]*?^\1/gm, '').replace(/`[^`\n]*`/g, '')

/** Targets of `[text](target)`, `![image](target)` and `[name]: target` that stay in the project. */
function targetsOf(text: string): string[] {
  const found = withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/gm)
  return [...found]
    .map(([, inline, named]) => inline ?? named ?? '')
    .filter((target) => !/^([a-z][\w+.-]*:|\/\/)/i.test(target))
}

/** Headings as the addresses that GitHub gives them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.replace(/^(```|~~~)[^]*?^\1/gm, '').matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
    let address = slug
    for (let again = 1; anchors.has(address); again += 1) address = `${slug}-${again}`
    anchors.add(address)
  }
  return anchors
}

function brokenLinks(document: Source, project: readonly Source[]): string[] {
  return targetsOf(document.text).flatMap((target) => {
    const [file = '', anchor] = target.split('#')
    const path = file === '' ? document.path : posix.join(posix.dirname(document.path), decodeURIComponent(file))
    const found = project.find((source) => source.path === path)
    const isFolder = project.some((source) => source.path.startsWith(path.replace(/\/?$/, '/')))
    // Pictures are no text, so the project's list does not have them.
    const isPicture = path.endsWith('.png') && existsSync(path)
    if (found === undefined && !isFolder && !isPicture)
      return [`${document.path} links to ${target}, which is not there`]
    const isMissing = anchor !== undefined && found?.path.endsWith('.md') && !anchorsOf(found.text).has(anchor)
    return isMissing ? [`${document.path} links to ${target}, which has no such heading`] : []
  })
}

export const linkRules: readonly Rule[] = [
  {
    name: 'every link within the project leads somewhere',
    covers: (path) => /^([A-Z]+|docs\/.+)\.md$/.test(path),
    faults: (covered, project) => covered.flatMap((document) => brokenLinks(document, project)),
    planted: [
      {
        files: {
          'README.md': '# A\n[gone](docs/gone.md) ![x](docs/x.png "t")\n[b](docs/b.md#nowhere) [c](#b)\n',
          'docs/b.md': '# B\n\n[up](../LICENCE)\n\n[ref]: ./away.md\n',
        },
        faults: [
          'README.md links to docs/gone.md, which is not there',
          'README.md links to docs/x.png, which is not there',
          'README.md links to docs/b.md#nowhere, which has no such heading',
          'README.md links to #b, which has no such heading',
          'docs/b.md links to ../LICENCE, which is not there',
          'docs/b.md links to ./away.md, which is not there',
        ],
      },
      {
        files: {
          'README.md':
            '# A `b`, c & d\n[a](#a-b-c--d) [b](docs/b.md#b-1) [docs](docs/) [w](https://example.com/x.md)\n',
          'docs/b.md': '# B\n## B\n[up](../README.md)\n```\n[no](gone.md)\n```\n`[no](gone.md)`\n[code](../src/a.ts)\n',
          'src/a.ts': '',
        },
        faults: [],
      },
    ],
  },
]
