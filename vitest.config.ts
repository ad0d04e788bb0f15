import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Nothing of the project keeps a state of its own: files share what was loaded, which halves the time they take.
    isolate: false,
    // Most of what the tests of the command line do, they do in processes of their own.
    maxWorkers: '100%',
    // For a machine that is busy with much else; nothing waits for it otherwise.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // The built program is loaded as it is, by Node.
    server: { deps: { external: [/\/bin\/run\.js/, /\/dist\//] } },
    disableConsoleIntercept: true,
    globalSetup: ['./test/support/build.ts'],
    setupFiles: ['./test/support/setup.ts'],
    reporters: ['default', './test/support/counts.ts'],
  },
})
