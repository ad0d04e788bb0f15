/** The folders of settings and of data. Only their owner can read them. */
import { join } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Place {
  env: Environment
  platform: NodeJS.Platform
  /** The user's home folder. */
  home: string
}

/** `SVC_CONFIG_DIR`, or the platform's folder for settings. */
export function configFolder({ env, platform, home }: Place): string {
  if (env['SVC_CONFIG_DIR']) return env['SVC_CONFIG_DIR']
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'svc')
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'svc')
}

/** `SVC_DATA_DIR`, or the platform's folder for program data. */
export function dataFolder({ env, platform, home }: Place): string {
  if (env['SVC_DATA_DIR']) return env['SVC_DATA_DIR']
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'svc')
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'svc')
}
