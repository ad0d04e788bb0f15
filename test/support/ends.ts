/**
 * Cleanups to run at the end of each test or test file. Files share loaded modules, and a hook that a module sets
 * itself runs in the first file only, so the setup of every file calls these.
 */
type End = () => void | Promise<void>

const ends: Record<'test' | 'file', End[]> = { test: [], file: [] }

export const afterEachTest = (end: End): unknown => ends.test.push(end)
export const afterEachFile = (end: End): unknown => ends.file.push(end)

/** Runs all cleanups, even if one fails. Throws the error at the end. */
export async function end(what: 'test' | 'file'): Promise<void> {
  const wrong: unknown[] = []
  for (const one of ends[what]) {
    try {
      await one()
    } catch (error) {
      wrong.push(error)
    }
  }
  if (wrong.length > 0) throw wrong[0]
}
