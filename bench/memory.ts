/** Resident memory and processor time of another local process. */
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

const ticksPerSecond = 100

/** Processor time of a process so far, in seconds; NaN where the system does not tell. */
export function cpuSecondsOf(pid: number): number {
  const file = `/proc/${pid}/stat`
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  // The name of the program is in parentheses and may contain blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
