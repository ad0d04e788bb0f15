/** The process's surroundings: environment variables, streams, folders, and whether the terminal is interactive. */
import { homedir } from 'node:os'
import { configFolder, dataFolder, type Environment } from './folder.js'

export interface IO {
  env: Environment
  /** Folder of the profiles. */
  configFolder: string
  /** Folder of the simulator's default data file and of the import journals. */
  dataFolder: string
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}

export function processIO(): IO {
  const { env, platform, stdin, stdout, stderr } = process
  const place = { env, platform, home: env['HOME'] || homedir() }
  return { env, configFolder: configFolder(place), dataFolder: dataFolder(place), stdin, stdout, stderr }
}

/** True if prompts are possible: stdin and stderr are terminals, and neither `CI` nor `--no-input` is set. */
export function isInteractive({ env, stdin, stderr }: IO, noInput: boolean): boolean {
  return Boolean(stdin.isTTY && stderr.isTTY) && !noInput && !env['CI'] && !env['SVC_NO_INPUT']
}
