/** Which rounds of abuse are played, and how one that failed is played again. */

const number = (name: string): number | undefined => {
  const text = process.env[name]
  return text === undefined || text === '' ? undefined : Number(text)
}

/** `npm run fuzz`: runs for a given time, with other rounds each time. */
const isLong = process.env.MODE === 'fuzz'

/** The seed of the first round; those after it count on. */
export const firstSeed = number('SEED') ?? (isLong ? Math.floor(Math.random() * 1e9) : 1)

/** How many rounds are played at least. */
export const fewestRounds = isLong ? 1 : 3

/** After how many seconds no further round begins. */
export const lastRoundSeconds = isLong ? (number('SECONDS') ?? 120) : 0

/** How many things are sent in a round. */
export const shotsPerRound = number('SHOTS') ?? 120

/** How long a failing round is made shorter. */
export const shortenMs = 1000 * (number('SHORTEN') ?? 60)

export const replayOf = (seed: number): string => `SEED=${seed} SECONDS=0 SHOTS=${shotsPerRound} npm run fuzz`
