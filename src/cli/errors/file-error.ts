/** Why something could not be written, in words. */
import { UsageError } from './usage-error.js'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'there is no such folder',
  EACCES: 'it is not yours to write',
  ENOSPC: 'there is no room left',
}

/** Falls back on the system's own word. */
export const describeFileError = ({ code = 'unknown' }: { code?: string | undefined }): string => reasons[code] ?? code

/** Throws what to say of a file that could not be written. */
export const describeWriteFailure = (name: string) => (error: { code?: string | undefined }) => {
  throw new UsageError(`${name} cannot be written: ${describeFileError(error)}.`)
}
