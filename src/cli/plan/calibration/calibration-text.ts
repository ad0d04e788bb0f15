/** Renders a calibration: the answer rate by attempt, and the last days simulated next to how they were. */
import type { Paint } from '../../../output/table/cell.js'
import { wrapWords } from '../../../output/table/width.js'
import type { BackTestDay, CalibrationReport } from './calibration.js'

export function calibrationLines(report: CalibrationReport, width: number, paint: Paint): string[] {
  const { calls, from, to, attempts, back_test: days, back_test_missing: missing, by_hour } = report
  const wrap = (text: string) => wrapWords(text, width)
  const hours = by_hour ? 'The hour of the day matters.' : 'The hour of the day makes no difference beyond chance.'
  return [
    ...wrap(`Calibrated on ${calls.toLocaleString('en-US')} calls from ${from.slice(0, 10)} to ${to.slice(0, 10)}`).map(
      (line) => paint.bold(line),
    ),
    ...attempts.flatMap(({ attempt, calls: count, answered, fitted }) =>
      wrap(`  attempt ${attempt}: ${answered}% of ${count.toLocaleString('en-US')} answered, planned ${fitted}%`),
    ),
    ...wrap(`  ${hours}`),
    ...report.notes.flatMap((note) => wrap(`  ${note}`)),
    '',
    paint.bold('Back-test'),
    ...(days ? dayLines(days) : wrap(missing ?? '')),
  ]
}

function dayLines(days: readonly BackTestDay[]): string[] {
  const rows = days.map((one) => [
    one.day.slice(5),
    ...[one.calls, one.simulated_calls, one.answered, one.simulated_answered].map((value) =>
      value.toLocaleString('en-US'),
    ),
  ])
  const all = [['day', 'calls', 'simulated', 'answered', 'simulated'], ...rows]
  const widths = all[0]!.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  return all.map((row) =>
    row.map((text, at) => (at === 0 ? text.padEnd(widths[at]!) : text.padStart(widths[at]!))).join('  '),
  )
}
