/** Reads a world file, to send it to a simulator that may run on another machine. */
import { readFile } from 'node:fs/promises'
import { UsageError } from '../errors/usage-error.js'

export async function readWorldText(path: string): Promise<Record<string, unknown>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--world ${path} cannot be read: ${(error as Error).message}.`)
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new UsageError(`--world ${path} is not a JSON object.`, 'svc simulate world --json prints one to start from.')
}
