/** Real shells in which `svc` is the built program. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Svc } from './svc.js'
import { ended, entry, type Ran } from './svc.js'

export const hasShell = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

/** Runs a script in a shell. `args` are its arguments. */
export async function inShell(svc: Svc, [shell = '', ...flags]: readonly string[], script: string): Promise<Ran> {
  const child = spawn(shell, [...flags, '-c', script], { env: shellEnv(svc), cwd: svc.folder })
  child.stdin.end()
  return await ended(child)
}

/**
 * Runs a line in a shell at a terminal, then types keys, and waits until the screen shows the pattern. Returns the screen.
 */
export async function atShell(svc: Svc, shell: string, line: string, keys: string, shows: RegExp): Promise<string> {
  const begin = `stty cols 200 rows 40; exec ${shell}`
  const env = { ...shellEnv(svc), TERM: 'vt100', SHELL: '/bin/sh' }
  const child = spawn('script', ['-qefc', begin, '/dev/null'], { env, cwd: svc.folder })
  const end = ended(child)
  let screen = ''
  const sees = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      const look = (text: Buffer | '' = '') => {
        screen += String(text)
        if (!pattern.test(screen)) return
        child.stdout.off('data', look)
        resolve()
      }
      child.stdout.on('data', look)
      look()
    })
  // The shell ignores keys until its line editor runs. The quote keeps the echo of the line from looking like the prompt.
  child.stdin.write(`${line}; PS1='ready''>'\n`)
  await Promise.race([sees(/ready>/), end])
  child.stdin.write(keys)
  await Promise.race([sees(shows), end])
  child.stdin.end('\u0003\nexit\n')
  child.kill('SIGKILL')
  await end
  return screen
}

export function shellEnv(svc: Svc): Record<string, string> {
  const folder = join(svc.folder, 'bin')
  const program = join(folder, 'svc')
  mkdirSync(folder, { recursive: true })
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`)
  chmodSync(program, 0o755)
  return { ...svc.env, PATH: `${folder}:${svc.env['PATH'] ?? ''}` }
}
