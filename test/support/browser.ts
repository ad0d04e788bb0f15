/** A Chromium for tests: the one inside an npm package on Linux, or an installed Chrome. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { chromium, type Browser } from 'playwright-core'

const installed = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
]

/** Whether this machine can start a browser. */
export const hasBrowser =
  (process.platform === 'linux' && process.arch === 'x64') || installed.some((path) => existsSync(path))

/** Starts a browser. The packaged one needs libraries that it unpacks only if it believes to run in AWS Lambda. */
export async function startBrowser(): Promise<Browser> {
  const path = installed.find((one) => existsSync(one))
  if (path !== undefined) return chromium.launch({ executablePath: path })
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  packaged.setGraphicsMode = false
  const executablePath = await packaged.executablePath()
  const args = packaged.args.filter(
    (arg) => !/^--(single-process|no-zygote|disable-web-security|allow-running-insecure-content)/.test(arg),
  )
  return chromium.launch({ executablePath, args, env: { ...process.env, HOME: tmpdir() } })
}
