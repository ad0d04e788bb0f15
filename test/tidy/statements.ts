/** Tidy rules about SQL: a statement names its tables as objects, so the store knows what it reads and writes. */
import { inEach, type Rule } from './rule.js'
import { isCodeIn, type Source } from './source.js'

/** The schema and the store's work on whole tables come before any table object. */
const isExempt = (path: string) => ['simulator/storage/schema.ts', 'simulator/storage/store.ts'].includes(path)

const tableInText = /\b(?:FROM|JOIN|INTO|UPDATE(?: OR [A-Z]+)?)\s+(?!sqlite_)[a-z_]+\b/g

function tablesInText({ path, text }: Source): string[] {
  return [...text.matchAll(tableInText)].map(({ 0: found, index }) => {
    const line = text.slice(0, index).split('\n').length
    return `${path}:${line} names a table in SQL text: ${found.replaceAll(/\s+/g, ' ')}`
  })
}

export const statementRules: readonly Rule[] = [
  {
    name: 'statements name tables as objects',
    covers: (path) => isCodeIn(path, 'simulator') && !isExempt(path),
    faults: inEach(tablesInText),
    planted: [
      {
        files: {
          'simulator/model/lead.ts': 'const a = 1\nstore.all(sql`SELECT n FROM leads JOIN\n calls USING (n)`)\n',
          'simulator/model/call.ts': 'store.run(sql`UPDATE OR ROLLBACK calls SET n = 1`)\n',
        },
        faults: [
          'simulator/model/lead.ts:2 names a table in SQL text: FROM leads',
          'simulator/model/lead.ts:2 names a table in SQL text: JOIN calls',
          'simulator/model/call.ts:1 names a table in SQL text: UPDATE OR ROLLBACK calls',
        ],
      },
      {
        files: {
          'simulator/model/lead.ts': 'store.all(sql`SELECT seq FROM sqlite_sequence`)\n// read from leads\n',
          'simulator/storage/schema.ts': 'INSERT INTO leads',
          'test/a.test.ts': 'SELECT n FROM leads',
        },
        faults: [],
      },
    ],
  },
]
