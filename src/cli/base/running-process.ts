/** Whether a process of this machine is still there. */

/** `pid`: its number; 0 is nobody's. */
export function isRunning(pid: number): boolean {
  if (pid === 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
