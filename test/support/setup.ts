/** Setup of every test file. */
import fc from 'fast-check'
import { afterAll, afterEach } from 'vitest'
import { end } from './ends.js'

// Every run tries the same values, so that a run fails only because of a change. Another SEED tries others.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) })

afterEach(() => end('test'))
afterAll(() => end('file'))
