/** Rules that oxlint does not have: forbidden syntax and forbidden imports. All other rules are in .oxlintrc.json. */
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

const heavy = ['undici', 'zod', 'inquirer', 'cli-table3', 'chalk', 'papaparse', 'fastify', 'better-sqlite3']

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
  {
    files: ['commands/**/*.ts', 'src/cli/**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: heavy.map((name) => ({
            name,
            allowTypeImports: true,
            message: 'Too heavy for every start. Import it dynamically where it is used.',
          })),
        },
      ],
    },
  },
)
