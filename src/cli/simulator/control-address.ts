/** Finds the control plane that a command uses, and says whether the control token may be sent there. */
import type { Environment } from '../../config/folder.js'
import type { Setting, Settings } from '../../config/settings.js'
import { SettingsError } from '../../config/settings-error.js'
import { isLoopbackHost, isPrivateRoute, simulatorRoot, urlOf } from '../../url.js'

const variable = 'SVC_CONTROL_URL'

/** The address that `/_sim` is below: that of `--base-url`, else of `SVC_CONTROL_URL`, else of the base URL. */
export function controlAddress({ baseUrl }: Pick<Settings, 'baseUrl'>, env: Environment): Setting {
  const text = env[variable]
  if (!text || baseUrl.source.startsWith('flag ')) return { ...baseUrl, value: simulatorRoot(new URL(baseUrl.value)) }
  const url = urlOf(text)
  const isControlPlane =
    url &&
    /^https?:$/.test(url.protocol) &&
    /^(\/w\/[^/]+)?\/?(_sim\/?)?$/.test(url.pathname) &&
    !url.username &&
    !url.password
  if (!isControlPlane)
    throw new SettingsError(
      `${variable} is not the address of a control plane.`,
      'Use an address such as http://127.0.0.1:4010/_sim.',
    )
  return { value: simulatorRoot(url), source: `environment ${variable}` }
}

/**
 * Throws where the control token must not go. Like a key, it goes only to an address that it was typed with: one in this
 * command or in the environment, or this machine. No profile stores it, so a profile in use is no reason to send it.
 */
export function checkTokenAddress({ value, source }: Setting, profile: Setting | undefined): void {
  const url = new URL(value)
  if (!isPrivateRoute(url))
    throw new SettingsError(
      `The control token would go over plain http: to ${url.host}, where others can read it.`,
      'Use an https: address, or a tunnel to this machine such as ssh -L.',
    )
  const isFromProfile = source.startsWith('profile ') && profile?.source !== 'flag --profile'
  if (isLoopbackHost(url.hostname) || !isFromProfile) return
  throw new SettingsError(
    `The control token was not given for ${value} (${source}). It is not sent there.`,
    `Add --base-url ${value}, or set ${variable}=${value}/_sim.`,
  )
}
