/** Which random runs are made, and how one that failed is made again. */

const number = (name: string): number | undefined => {
  const text = process.env[name]
  return text === undefined || text === '' ? undefined : Number(text)
}

/** `npm run random`: longer, and other runs each time. */
export const isLong = process.env.MODE === 'random'

const one = number('SEED')
const runs = one === undefined ? (number('RUNS') ?? (isLong ? 60 : 3)) : 1
const first = one ?? (isLong ? Math.floor(Math.random() * 1e9) : 1)

/** The seeds; each is one run. */
export const seeds: readonly number[] = Array.from({ length: runs }, (_, n) => first + n)

/** Of the runs that are made with variations, each many times. */
export const variedSeeds: readonly number[] = seeds.slice(0, Math.ceil(seeds.length / 6))

/** How many things are done in a run. */
export const actionsPerRun = number('ACTIONS') ?? (isLong ? 300 : 150)

export const actionsPerVariedRun = Math.ceil(actionsPerRun / 2)

/** How long a failing run is made shorter. */
export const shortenMs = 1000 * (number('SHORTEN') ?? 60)

export const replayOf = (seed: number): string => `SEED=${seed} ACTIONS=${actionsPerRun} npm run random`
