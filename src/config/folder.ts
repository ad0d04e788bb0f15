/** Where the command line keeps its settings and the simulator its data: folders of one person, readable by that person alone. */
import { join } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Place {
  env: Environment
  platform: NodeJS.Platform
  /** The person's home folder. */
  home: string
}

/** `SVC_CONFIG_DIR`, or the platform's own place for settings. */
export function configFolder({ env, platform, home }: Place): string {
  if (env['SVC_CONFIG_DIR']) return env['SVC_CONFIG_DIR']
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'svc')
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'svc')
}

/** `SVC_DATA_DIR`, or the platform's own place for what programs keep. */
export function dataFolder({ env, platform, home }: Place): string {
  if (env['SVC_DATA_DIR']) return env['SVC_DATA_DIR']
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'svc')
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'svc')
}
