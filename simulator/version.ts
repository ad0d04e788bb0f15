/** The version of the package, from its package.json, and its folder. */
import { readFileSync } from 'node:fs'

export const version = (JSON.parse(readFileSync(packageFile(), 'utf8')) as { version: string }).version

/** The folder of the package. */
export const packageFolder: URL = new URL('.', packageFile())

/** The URL of package.json, for the sources and for the built program. */
function packageFile(): URL {
  const here = new URL('../package.json', import.meta.url)
  return here.pathname.endsWith('/dist/package.json') ? new URL('../../package.json', import.meta.url) : here
}
