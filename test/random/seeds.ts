/** Chooses the random runs, and how a failed run is repeated. */

const number = (name: string): number | undefined => {
  const text = process.env[name]
  return text === undefined || text === '' ? undefined : Number(text)
}

/** `npm run random` makes longer runs with new seeds each time. */
export const isLong = process.env.MODE === 'random'

const one = number('SEED')
const runs = one === undefined ? (number('RUNS') ?? (isLong ? 60 : 3)) : 1
const first = one ?? (isLong ? Math.floor(Math.random() * 1e9) : 1)

/** One run for each seed. */
export const seeds: readonly number[] = Array.from({ length: runs }, (_, n) => first + n)

/** The seeds of the runs that are repeated with variations. */
export const variedSeeds: readonly number[] = seeds.slice(0, Math.ceil(seeds.length / 6))

/** Number of actions in a run. */
export const actionsPerRun = number('ACTIONS') ?? (isLong ? 300 : 150)

export const actionsPerVariedRun = Math.ceil(actionsPerRun / 2)

/** Time limit for shortening a failed run. */
export const shortenMs = 1000 * (number('SHORTEN') ?? 60)

export const replayOf = (seed: number): string => `SEED=${seed} ACTIONS=${actionsPerRun} npm run random`
