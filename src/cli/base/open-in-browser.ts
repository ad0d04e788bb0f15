/** Opens an address in the default browser. */
import { spawn } from 'node:child_process'
import type { Environment } from '../../config/folder.js'

/** The program that opens an address, with its arguments; null if there is no browser to be expected. */
function openerOf(env: Environment, platform: NodeJS.Platform): readonly string[] | null {
  const chosen = env['BROWSER']
  if (chosen !== undefined && chosen !== '') return [chosen]
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : null
}

/** Starts the browser without waiting for it. Resolves to false if there is none. */
export async function openInBrowser(url: string, env: Environment, platform = process.platform): Promise<boolean> {
  const opener = openerOf(env, platform)
  if (!opener) return false
  const [command = '', ...args] = opener
  const child = spawn(command, [...args, url], { env: { ...env }, stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
