/** Starts a program of the bench in a process of its own and waits for its first line. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Child {
  firstLine: string
  pid: number
  stop(): Promise<void>
}

export async function startChild(program: string, ...words: string[]): Promise<Child> {
  const file = fileURLToPath(new URL(`./${program}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })
  const firstLine = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code} before it was ready`)))
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { firstLine, pid: child.pid ?? 0, stop }
}
