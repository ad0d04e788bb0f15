/** Setup of every test file. */
import { afterAll, afterEach } from 'vitest'
import { end } from './ends.js'

afterEach(() => end('test'))
afterAll(() => end('file'))
