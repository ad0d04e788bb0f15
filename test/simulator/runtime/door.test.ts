/** Starting the simulator where it cannot start: said in words, and nothing is left behind or changed. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startSimulator, StoreError } from '../../../simulator/index.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

it('a port that is taken leaves no data file behind', async () => {
  const first = await startSimulator()
  onTestFinished(() => first.close())
  const folder = temporaryFolder()
  const starting = startSimulator({ port: Number(new URL(first.url).port), data: join(folder, 'other.db') })
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(readdirSync(folder)).toEqual([])
})

it('a damaged data file is named, and kept as it is', async () => {
  const file = join(temporaryFolder(), 'world.db')
  const simulator = await startSimulator({ data: file })
  await simulator.close()
  const bytes = readFileSync(file)
  // All but the first page, which says that it is one of ours.
  bytes.fill(0x5a, 4096)
  writeFileSync(file, bytes)
  await expect(startSimulator({ data: file })).rejects.toThrow(StoreError)
  await expect(startSimulator({ data: file })).rejects.toThrow(`The data file ${file} cannot be used: it is damaged.`)
  expect(existsSync(file)).toBe(true)
})
