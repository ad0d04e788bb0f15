/** What the program finds around it: environment, streams, and whether a person is there. */
import { homedir } from 'node:os'
import { configFolder, dataFolder, type Environment } from './folder.js'

export interface IO {
  env: Environment
  /** Where profiles are kept. */
  configFolder: string
  /** Where the simulator's data file is, unless another is named, and how far imports have come. */
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

/** A person can be asked: both ends of the talk are a terminal, and nobody said not to (`CI`, `--no-input`). */
export function isInteractive({ env, stdin, stderr }: IO, noInput: boolean): boolean {
  return Boolean(stdin.isTTY && stderr.isTTY) && !noInput && !env['CI'] && !env['SVC_NO_INPUT']
}
