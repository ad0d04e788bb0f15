/** `svc openapi`: which document it prints, and which server the document names. */
import { describe, expect, it } from 'vitest'
import { Svc } from '../support/programs/svc.js'

const svc = new Svc({ SVC_BASE_URL: 'https://elsewhere.example.com' })

async function printed(...args: string[]) {
  const { code, stdout, stderr } = await svc.shell(['svc', 'openapi', ...args].join(' '))
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as { servers: { url: string }[]; paths: object }
}

describe('svc openapi', () => {
  it.each([
    [[], 'http://127.0.0.1:4010/api/v1/external', '/leads'],
    [['--base-url', 'https://api.example.com'], 'https://api.example.com/api/v1/external', '/leads'],
    [['--control'], 'http://127.0.0.1:4010', '/_sim/clock'],
    [['--control', '--base-url', 'http://localhost:5000'], 'http://localhost:5000', '/_sim/clock'],
  ])('%j prints the document with the server %s', async (args, url, path) => {
    const document = await printed(...args)
    expect(document.servers).toEqual([{ url }])
    expect(document.paths).toHaveProperty([path])
  })

  it('refuses an address that is no URL', async () => {
    const { code, stderr } = await svc.run(['openapi', '--base-url', 'nowhere'])
    expect(code).toBe(2)
    expect(stderr).toContain('--base-url')
  })
})
