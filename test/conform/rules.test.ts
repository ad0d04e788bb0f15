/** Every numbered rule has checks, or a reason why it cannot be asked over the API. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checks } from '../../src/conform/checks/all.js'
import { groups } from '../../src/conform/groups.js'
import { ruleNumbers, ruleOf } from '../../src/conform/rules.js'
import { shapeRules } from '../../src/conform/shapes.js'
import { permissionProbes } from '../../src/conform/permissions.js'
import { permissions } from '../../src/contract/permissions.js'

const page = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8')
const onPage = [...page.matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, number]) => number)
const checked = new Set([...checks.map(({ rule }) => rule), ...Object.keys(shapeRules)])

describe('conformance rules', () => {
  it('are those of docs/rules.md, in its order', () => {
    expect(ruleNumbers).toEqual(onPage)
  })

  it.each(ruleNumbers)('%s has checks, or a reason why it has none', (rule) => {
    const { unasked } = ruleOf(rule)
    expect(checked.has(rule) !== (unasked !== undefined), `${rule}: ${unasked ?? 'no check, no reason'}`).toBe(true)
  })

  it('every check names a numbered rule', () => {
    expect(checks.map(({ rule }) => rule).filter((rule) => !onPage.includes(rule))).toEqual([])
  })

  it('every group has checks', () => {
    const used = new Set([...checks.map(({ group }) => group), ...Object.values(shapeRules).map(({ group }) => group)])
    expect(groups.filter((group) => !used.has(group))).toEqual([])
  })

  it('no two checks have the same title', () => {
    const titles = checks.map(({ rule, title }) => `${rule} ${title}`)
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
  })

  it('every permission has a probe', () => {
    expect(Object.keys(permissionProbes)).toEqual(permissions)
  })
})
