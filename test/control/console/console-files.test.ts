/** The console as it is served: static files, a strict policy, deep links, and the redirect of `/`. */
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { routes } from '../../../console/api/routes.js'
import { control } from '../../../src/contract/control.js'
import { simulate } from '../../support/simulate.js'

const files = ['', 'app.js', 'theme.css', 'icon.svg']

async function get(url: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: sent, body } = await request(url, { headers })
  return { status: statusCode, headers: sent, body: Buffer.from(await body.arrayBuffer()) }
}

describe('the files of the console', () => {
  it('have at most 60 KB together, compressed', async () => {
    const sim = await simulate()
    const all = await Promise.all(files.map((name) => get(`${sim.url}/console/${name}`)))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(all.reduce((sum, { body }) => sum + gzipSync(body).length, 0)).toBeLessThan(60 * 1_024)
  })

  it('have a strict content policy, no cookie, nothing inline and no outside address', async () => {
    const sim = await simulate()
    for (const name of files) {
      const { headers, body } = await get(`${sim.url}/console/${name}`)
      expect(headers['content-security-policy']).toMatch(/^default-src 'self'; /)
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      expect(headers).not.toHaveProperty('set-cookie')
      if (name === '') expect(body.toString()).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/)
    }
  })

  it.each(['leads', 'leads/8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11?mode=test', 'webhooks', 'figures'])(
    'answer the deep link /console/%s with the page',
    async (path) => {
      const sim = await simulate()
      const page = await get(`${sim.url}/console/`)
      expect((await get(`${sim.url}/console/${path}`)).body).toEqual(page.body)
    },
  )

  it('are shown by / to browsers only', async () => {
    const sim = await simulate()
    const browser = await get(`${sim.url}/`, { accept: 'text/html,application/xhtml+xml' })
    const { pathname } = new URL(`${sim.url}/console/`)
    expect([browser.status, browser.headers['location']]).toEqual([302, pathname])
    for (const accept of ['*/*', 'application/json']) expect((await get(`${sim.url}/`, { accept })).status).toBe(404)
    expect((await get(`${sim.url}/console`)).headers['location']).toBe(pathname)
  })

  it('are refused under a foreign Host and from another site', async () => {
    const sim = await simulate()
    expect((await get(`${sim.url}/console/`, { host: 'attacker.example' })).status).toBe(403)
    expect((await get(`${sim.url}/console/`, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})

it('the console knows the method and path of every route it calls', () => {
  const known = Object.fromEntries(
    Object.keys(routes).map((name) => {
      const { method, path } = control[name as keyof typeof control]
      return [name, `${method} ${path}`]
    }),
  )
  expect(routes).toEqual(known)
})
