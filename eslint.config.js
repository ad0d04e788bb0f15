/** What the linter holds us to: typed rules everywhere, and a few of our own about time, printing and start-up. */
import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

const heavy = ['undici', 'zod', 'inquirer', 'cli-table3', 'chalk', 'papaparse', 'fastify', 'better-sqlite3']

const takeTheTime = 'Simulated time is an argument; the machine is read in simulator/kernel/system-clock.ts alone.'
const takeTheChance = 'Chance comes from a named stream of the seed (simulator/kernel/random.ts).'
const useTheCourier = 'Outgoing HTTP goes through simulator/webhooks/sender/courier.ts.'

const simulatorGlobals = {
  setTimeout: takeTheTime,
  setInterval: takeTheTime,
  fetch: useTheCourier,
}

const simulatorCalls = {
  "CallExpression[callee.object.name='Date'][callee.property.name='now']": takeTheTime,
  "NewExpression[callee.name='Date'][arguments.length=0]": takeTheTime,
  "CallExpression[callee.name='Date']": takeTheTime,
  "MemberExpression[object.name='performance'][property.name='now']": takeTheTime,
  "MemberExpression[object.name='process'][property.name='hrtime']": takeTheTime,
  "MemberExpression[object.name='globalThis'][property.name=/^(setTimeout|setInterval|fetch)$/]": takeTheTime,
  "MemberExpression[object.name='Math'][property.name='random']": takeTheChance,
}

export default defineConfig(
  { ignores: ['dist/', 'dist-*/', 'coverage/', 'node_modules/'] },
  { linterOptions: { noInlineConfig: true } },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-template-curly-in-string': 'error',
      'object-shorthand': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'It misreads umlauts in Node 20 and 22: urlOf of src/url.ts.' },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: 'tsconfig.test.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-deprecated': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // An interface may promise what one of its makers has at once.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['bin/**', 'scripts/**', 'bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
      },
    },
  },
  {
    files: ['simulator/**/*.ts'],
    ignores: ['simulator/kernel/system-clock.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...Object.entries(simulatorGlobals).map(([name, message]) => ({ name, message })),
      ],
      'no-restricted-syntax': [
        'error',
        ...Object.entries(simulatorCalls).map(([selector, message]) => ({ selector, message })),
      ],
    },
  },
  {
    files: ['commands/**/*.ts', 'src/cli/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: heavy.map((name) => ({
            name,
            allowTypeImports: true,
            message: 'Too heavy for every start: import it dynamically where it is used.',
          })),
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/unbound-method': 'off',
      // The matchers of vitest stand for any value: { id: expect.any(String) }.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
)
