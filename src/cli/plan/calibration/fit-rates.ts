/**
 * Fits the answer rate of each attempt. 2,000 calls do not tell four or five rates apart well, so attempts learn from each
 * other: the rates of several models are averaged, each by how likely it makes the calls.
 */

/** Calls of one attempt. */
export interface Group {
  calls: number
  answered: number
}

/** How far the logits of the rates may be from a common level: standard deviations of a slope, and of each attempt. */
interface Model {
  slope: number
  spread: number
  weight: number
}

/** Every attempt the same; a steady rise or fall, which is the usual case; with small bends; with large ones. */
const models: readonly Model[] = [
  { slope: 0.03, spread: 0, weight: 1 },
  { slope: 0.3, spread: 0, weight: 2 },
  { slope: 0.3, spread: 0.15, weight: 1 },
  { slope: 0.3, spread: 0.5, weight: 1 },
]

/** The answer rate by attempt, 0 to 1. */
export function fitRates(groups: readonly Group[]): number[] {
  const calls = sum(groups.map((group) => group.calls))
  const answered = sum(groups.map((group) => group.answered))
  const level = Math.log((answered + 1) / (calls - answered + 1))
  const fits = models.map((model) => ({ ...fitModel(groups, level, model), weight: model.weight }))
  const best = Math.max(...fits.map(({ evidence }) => evidence))
  const weights = fits.map(({ evidence, weight }) => weight * Math.exp(evidence - best))
  return groups.map((_, at) => sum(fits.map(({ rates }, nth) => rates[at]! * weights[nth]!)) / sum(weights))
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

const roundsMax = 30
/** Uncertainty of the level, and a little noise that keeps the equations solvable. */
const [levelVariance, noise] = [1, 1e-6]

/**
 * The most likely rates of a model: logits are normal around the level, with the model's covariance (Newton's method). The
 * evidence is the log likelihood of the calls under the model, by Laplace's approximation.
 */
function fitModel(groups: readonly Group[], level: number, { slope, spread }: Model) {
  const covariance = groups.map((_, i) =>
    groups.map((__, j) => levelVariance + slope * slope * i * j + (i === j ? spread * spread + noise : 0)),
  )
  let shift = groups.map(() => 0)
  let logDeterminant = 0
  for (let round = 0; round < roundsMax; round++) {
    const rates = shift.map((one) => logistic(level + one))
    const curvature = groups.map(({ calls }, at) => calls * rates[at]! * (1 - rates[at]!))
    const pull = groups.map(({ calls, answered }, at) => curvature[at]! * shift[at]! + answered - calls * rates[at]!)
    const matrix = covariance.map((row, i) => row.map((value, j) => value * curvature[j]! + (i === j ? 1 : 0)))
    const solved = solve(
      matrix,
      covariance.map((row) => sum(row.map((value, j) => value * pull[j]!))),
    )
    const change = Math.max(...solved.values.map((value, at) => Math.abs(value - shift[at]!)))
    shift = solved.values
    logDeterminant = solved.logDeterminant
    if (change < 1e-7) break
  }
  const rates = shift.map((one) => Math.min(Math.max(logistic(level + one), 0.001), 0.999))
  const likelihood = groups.map(
    ({ calls, answered }, at) => answered * Math.log(rates[at]!) + (calls - answered) * Math.log(1 - rates[at]!),
  )
  // At the most likely rates, the inverse covariance times the shifts is the gradient of the likelihood.
  const distance = groups.map(({ calls, answered }, at) => shift[at]! * (answered - calls * rates[at]!))
  return { rates, evidence: sum(likelihood) - sum(distance) / 2 - logDeterminant / 2 }
}

/** Solves linear equations by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]) {
  const rows = matrix.map((row, at) => [...row, right[at]!])
  let logDeterminant = 0
  for (let at = 0; at < rows.length; at++) {
    const rest = rows.slice(at)
    const pivot = rest.reduce((a, b) => (Math.abs(b[at]!) > Math.abs(a[at]!) ? b : a))
    const from = rows.indexOf(pivot)
    ;[rows[at], rows[from]] = [pivot, rows[at]!]
    logDeterminant += Math.log(Math.abs(pivot[at]!))
    for (const row of rows) {
      if (row === pivot) continue
      const factor = row[at]! / pivot[at]!
      for (let column = at; column < row.length; column++) row[column]! -= factor * pivot[column]!
    }
  }
  return { values: rows.map((row, at) => row.at(-1)! / row[at]!), logDeterminant }
}
