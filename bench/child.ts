/** Starts a benchmark program in a separate process and waits for its first line. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface Child {
  firstLine: string
  pid: number
  /** Kills it, or ends it with a signal that it can handle. */
  stop(signal?: 'SIGTERM'): Promise<void>
}

/** `words` is the script for Node and its arguments. */
export async function startChild(words: readonly string[], env: Record<string, string> = {}): Promise<Child> {
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })
  const firstLine = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    child.once('exit', (code) => reject(new Error(`${words.join(' ')} ended with ${code} before it was ready`)))
  })
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL') => {
    child.kill(signal)
    await ended
  }
  return { firstLine, pid: child.pid ?? 0, stop }
}
