/** Loads the database driver: the version with prebuilt binaries for newer releases of Node, or the older one. */
import { createRequire } from 'node:module'
import type Driver from 'better-sqlite3'

/** The Node-API version that the newer driver needs. Node has it from 22.14 on. */
const neededNodeApi = 10

const load = createRequire(import.meta.url)

function driver(): typeof Driver {
  if (Number(process.versions.napi) < neededNodeApi) return load('better-sqlite3') as typeof Driver
  try {
    return load('better-sqlite3-13') as typeof Driver
  } catch {
    // The optional package is not installed.
    return load('better-sqlite3') as typeof Driver
  }
}

export const Database: typeof Driver = driver()
export type Database = Driver.Database
export type Statement = Driver.Statement<unknown[]>
