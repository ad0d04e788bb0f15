/** Resident memory of another local process. */
import { existsSync, readFileSync } from 'node:fs'

export interface Memory {
  /** In megabytes. */
  now: number
  /** Peak so far. */
  most: number
}

/** Undefined if the process has ended. */
export function memoryOf(pid: number): Memory | undefined {
  const file = `/proc/${pid}/status`
  const status = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1000
  return status.includes('VmRSS') ? { now: megabytes('VmRSS'), most: megabytes('VmHWM') } : undefined
}
