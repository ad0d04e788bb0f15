/** What a calibration found, as the result shows it. */
export interface CalibrationReport {
  from: string
  to: string
  /** Calls that were used. */
  calls: number
  attempts: AttemptRate[]
  /** True if the hour of the day makes a difference that is not chance. */
  by_hour: boolean
  talk_seconds: number
  back_test: BackTestDay[] | null
  /** Why there is no back-test. */
  back_test_missing: string | null
  notes: string[]
}

/** Percent of calls that a person answered. */
export interface AttemptRate {
  attempt: number
  calls: number
  answered: number
  fitted: number
}

/** A day as it was, next to the same leads simulated. */
export interface BackTestDay {
  day: string
  calls: number
  simulated_calls: number
  answered: number
  simulated_answered: number
}
