/** The signal that ends a run. After an interruption the clean-up still sends requests, so it gets another signal. */
export class Stop {
  readonly #requested: AbortSignal | undefined
  #isCleaningUp = false
  readonly #never = new AbortController().signal

  constructor(requested: AbortSignal | undefined) {
    this.#requested = requested
  }

  get isRequested(): boolean {
    return this.#requested?.aborted ?? false
  }

  /** Ends what is under way when it is aborted. */
  get signal(): AbortSignal {
    return this.#isCleaningUp ? this.#never : (this.#requested ?? this.#never)
  }

  allowCleanup(): void {
    this.#isCleaningUp = true
  }
}
