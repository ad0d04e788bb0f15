/** Chooses the fuzzing rounds, and how a failed round is repeated. */

const number = (name: string): number | undefined => {
  const text = process.env[name]
  return text === undefined || text === '' ? undefined : Number(text)
}

/** `npm run fuzz` runs for a given time, with new rounds each time. */
const isLong = process.env.MODE === 'fuzz'

/** Seed of the first round. The next rounds count up from it. */
export const firstSeed = number('SEED') ?? (isLong ? Math.floor(Math.random() * 1e9) : 1)

/** Minimum number of rounds. */
export const fewestRounds = isLong ? 1 : 3

/** No new round begins after this number of seconds. */
export const lastRoundSeconds = isLong ? (number('SECONDS') ?? 120) : 0

/** Actions per round. */
export const shotsPerRound = number('SHOTS') ?? 120

/** Time limit for shortening a failed round. */
export const shortenMs = 1000 * (number('SHORTEN') ?? 60)

export const replayOf = (seed: number): string => `SEED=${seed} SECONDS=0 SHOTS=${shotsPerRound} npm run fuzz`
