/** What every file of tests begins with. */
import { afterAll, afterEach } from 'vitest'
import { end } from './ends.js'

afterEach(() => end('test'))
afterAll(() => end('file'))
