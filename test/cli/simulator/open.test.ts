import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openInBrowser } from '../../../src/cli/base/open-in-browser.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

describe('svc open', () => {
  it('prints the address of the console', async () => {
    const at = await SvcAt.start()
    const url = `${at.simulation.url}/console/`
    expect(await at.run(['open'])).toMatchObject({ code: 0, stdout: `${url}\n` })
    expect(await at.data('open')).toEqual({ url, opened: false })
  })

  it('exits 8 if no simulator answers', async () => {
    const at = await SvcAt.start()
    const env = { SVC_BASE_URL: 'http://127.0.0.1:1' }
    expect(await at.run(['open'], { env })).toMatchObject({ code: 8, stdout: '' })
  })

  it.skipIf(process.platform === 'win32')('opens the program that BROWSER names with the address', async () => {
    const folder = temporaryFolder()
    const [program, seen] = [join(folder, 'browser'), join(folder, 'seen')]
    writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > ${seen}\n`)
    chmodSync(program, 0o755)
    expect(await openInBrowser('http://127.0.0.1:4010/console/', { BROWSER: program })).toBe(true)
    await expect.poll(() => existsSync(seen) && readFileSync(seen, 'utf8')).toBe('http://127.0.0.1:4010/console/')
  })

  it('says so where there is no browser', async () => {
    const url = 'http://127.0.0.1:4010/console/'
    expect(await openInBrowser(url, {}, 'linux')).toBe(false)
    expect(await openInBrowser(url, { BROWSER: '/no/such/program' })).toBe(false)
  })
})
