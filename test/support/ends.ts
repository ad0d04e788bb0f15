/**
 * What is done at the end of each test, or of each file, by what tests lean on. Files share the modules that are loaded:
 * a hook that a module sets itself is heard in the first file alone, so the setup of every file calls these.
 */
type End = () => void | Promise<void>

const ends: Record<'test' | 'file', End[]> = { test: [], file: [] }

export const afterEachTest = (end: End): unknown => ends.test.push(end)
export const afterEachFile = (end: End): unknown => ends.file.push(end)

/** Closes all of them, even if one fails; the error is thrown at the end. */
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
