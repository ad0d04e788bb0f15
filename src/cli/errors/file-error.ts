/** Messages for files that cannot be written. */
import { UsageError } from './usage-error.js'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  EACCES: 'permission denied',
  ENOSPC: 'the disk is full',
}

/** Falls back to the error code of the system. */
export const describeFileError = ({ code = 'unknown' }: { code?: string | undefined }): string => reasons[code] ?? code

/** Returns a handler that throws a usage error for a file that cannot be written. */
export const describeWriteFailure = (name: string) => (error: { code?: string | undefined }) => {
  throw new UsageError(`${name} cannot be written: ${describeFileError(error)}.`)
}
