/** The project's own conventions, checked for every file. Planted faults prove that each check works. */
import { describe, expect, it } from 'vitest'
import { clockRules } from './tidy/clock.js'
import { commandRules } from './tidy/commands.js'
import { englishRules } from './tidy/english.js'
import { leftoverRules } from './tidy/leftovers.js'
import { linkRules } from './tidy/links.js'
import { nameRules } from './tidy/names.js'
import { judge, type Rule } from './tidy/rule.js'
import { ruleCitationRules } from './tidy/rules.js'
import { projectFiles } from './tidy/source.js'
import { statementRules } from './tidy/statements.js'
import { startRules } from './tidy/starts.js'
import { titleRules } from './tidy/titles.js'
import { wordRules } from './tidy/words.js'

const rules: readonly Rule[] = [
  ...nameRules,
  ...startRules,
  ...leftoverRules,
  ...clockRules,
  ...wordRules,
  ...commandRules,
  ...titleRules,
  ...linkRules,
  ...ruleCitationRules,
  ...statementRules,
  ...englishRules,
]

const project = projectFiles()

for (const rule of rules) {
  describe(rule.name, () => {
    it('holds in the whole project', () => {
      expect(judge(rule, project)).toEqual([])
    })

    it('finds what is planted, and nothing in a near miss', () => {
      expect(rule.planted.some(({ faults }) => faults.length > 0)).toBe(true)
      for (const { files, faults } of rule.planted) {
        const planted = Object.entries(files).map(([path, text]) => ({ path, text }))
        expect(judge(rule, planted)).toEqual(faults)
      }
    })

    it('fails when it looked at no file', () => {
      expect(judge(rule, [])).toEqual([`"${rule.name}" looked at no file`])
    })
  })
}
