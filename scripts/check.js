// Runs the checks that are not tests: lint with types, directions of imports, format and unused code, as many at a time as there are processors.
// The linter reports the errors of the TypeScript compiler as well, so the compiler does not run again.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

// Longest first.
const waiting = ['lint', 'unused', 'imports', 'format:check']
const failed = []

/** Runs the npm script and shows its output if it fails. */
function check(name) {
  const started = performance.now()
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const running = spawn(npm, ['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: npm !== 'npm',
    // The linter's compiler is written in Go: rarer garbage collection saves a quarter of its processor time.
    env: { GOGC: '800', ...process.env },
  })
  const output = []
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (chunk) => output.push(chunk))
  return new Promise((resolve) => {
    running.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      console.log(`${code === 0 ? 'passed' : 'FAILED'}: npm run ${name} (${seconds} s)`)
      if (code !== 0) {
        failed.push(name)
        process.stdout.write(Buffer.concat(output))
      }
      resolve()
    })
  })
}

async function work() {
  for (let name = waiting.shift(); name; name = waiting.shift()) await check(name)
}

await Promise.all(Array.from({ length: availableParallelism() }, work))
if (failed.length > 0) process.exitCode = 1
