/** Rules that oxlint does not have: forbidden syntax in the simulator. All other rules are in .oxlintrc.json. */
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

const useSimulatedTime = 'Simulated time is an argument. Only simulator/kernel/system-clock.ts reads the system clock.'
const useRandomStream = 'Random values come from a named stream of the seed (simulator/kernel/random.ts).'

const forbidden = {
  "CallExpression[callee.object.name='Date'][callee.property.name='now']": useSimulatedTime,
  "NewExpression[callee.name='Date'][arguments.length=0]": useSimulatedTime,
  "CallExpression[callee.name='Date']": useSimulatedTime,
  "MemberExpression[object.name='performance'][property.name='now']": useSimulatedTime,
  "MemberExpression[object.name='process'][property.name='hrtime']": useSimulatedTime,
  "MemberExpression[object.name='globalThis'][property.name=/^(setTimeout|setInterval|fetch)$/]": useSimulatedTime,
  "MemberExpression[object.name='Math'][property.name='random']": useRandomStream,
}

export default defineConfig(
  { ignores: ['dist/', 'dist-*/', 'coverage/', 'node_modules/'] },
  { linterOptions: { noInlineConfig: true } },
  {
    files: ['simulator/**/*.ts'],
    ignores: ['simulator/kernel/system-clock.ts'],
    languageOptions: { parser: tseslint.parser },
    rules: {
      'no-restricted-syntax': [
        'error',
        ...Object.entries(forbidden).map(([selector, message]) => ({ selector, message })),
      ],
    },
  },
)
