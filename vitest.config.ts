import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that take long or start many programs: `npm run test:slow`. */
const slow = [
  // Programs that are started, killed and started again; a terminal; the installed package.
  'test/cli/conform/conform.test.ts',
  'test/cli/journey.test.ts',
  'test/cli/connection/live-mode.test.ts',
  'test/cli/events/{listen,listen-exec,listen-gaps,listen-place,streams}.test.ts',
  'test/cli/help/completion-shells.test.ts',
  'test/cli/import/import-{again,lock,terminal}.test.ts',
  'test/cli/output/{job-control,pickers,prompts,terminal}.test.ts',
  'test/cli/plan-questions.test.ts',
  'test/cli/simulator/{simulate,simulate-exec,simulator-profiles}.test.ts',
  'test/package/*.test.ts',
  // Every command, key or width against every case.
  'test/api/tenancy-matrix.test.ts',
  'test/cli/help/every-command.test.ts',
  'test/cli/output/{hostile-text,width}.test.ts',
  'test/policy/ladder.test.ts',
  // The conformance suite against many faulty deployments.
  'test/conform/mutants.test.ts',
  // The testing recipes, sent twice.
  'test/conform/proxy/recipes.test.ts',
  // Pages in a real browser.
  'test/console/*.test.ts',
  // Random histories, and failures of the disk and of the machine.
  'test/fuzz/*.test.ts',
  'test/random/*.test.ts',
  'test/simulator/*-model.test.ts',
  'test/simulator/storage/*-model.test.ts',
  'test/simulator/crashes/{crash,crash-deliveries,failing-disk,power-cut,torture}.test.ts',
  'test/webhooks/deliveries.test.ts',
  // Large backlogs and limits of memory.
  'test/cli/connection/answer-{limits,memory}.test.ts',
  'test/control/stream-slow-reader.test.ts',
  'test/simulator/request-log.test.ts',
  'test/simulator/storage/backlog.test.ts',
  'test/webhooks/hostile-bodies.test.ts',
]

/** `--mode fast` leaves the slow files out, `--mode slow` runs only them. Without a mode every file can be named. */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'slow' ? slow : ['test/**/*.test.ts'],
    exclude: mode === 'fast' ? [...configDefaults.exclude, ...slow] : configDefaults.exclude,
    pool: 'forks',
    // No module of the project keeps global state, so test files share loaded modules, which halves their time.
    isolate: false,
    // One worker for each processor. Vitest allows no more by a percentage.
    maxWorkers: '100%',
    // Short-lived objects fill the default space of 16 MB many times a second: a larger one saves a tenth of the processor time.
    execArgv: ['--max-semi-space-size=64'],
    // Tests marked as concurrent wait for most of their time.
    maxConcurrency: 16,
    // For a machine that is busy with much else; nothing waits for it otherwise.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
    // CI gives a test a second try, so that one slow moment of a shared machine does not fail a run. The end of the log
    // names each test that needed it. Locally a test that fails at times fails.
    retry: process.env['CI'] ? 1 : 0,
    // The built program is loaded as it is, by Node.
    server: { deps: { external: [/\/bin\/run\.js/, /\/dist\//] } },
    disableConsoleIntercept: true,
    // Some tests compare local times.
    env: { TZ: 'UTC' },
    globalSetup: ['./test/support/build.ts'],
    setupFiles: ['./test/support/setup.ts'],
    reporters: ['default', './test/support/counts.ts'],
  },
}))
