/** The database's driver: the one that comes built for every newer release of Node, else the one built for this release. */
import { createRequire } from 'node:module'
import type Driver from 'better-sqlite3'

/** What the newer driver asks of Node-API; Node has it from 22.14 on. */
const neededNodeApi = 10

const load = createRequire(import.meta.url)

function driver(): typeof Driver {
  if (Number(process.versions.napi) < neededNodeApi) return load('better-sqlite3') as typeof Driver
  try {
    return load('better-sqlite3-13') as typeof Driver
  } catch {
    // Optional packages were left out.
    return load('better-sqlite3') as typeof Driver
  }
}

export const Database: typeof Driver = driver()
export type Database = Driver.Database
export type Statement = Driver.Statement<unknown[]>
