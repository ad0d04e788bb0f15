/** Shortens a failed run by leaving out actions as long as the same rule breaks. */

/** What broke, and during which action; null if nothing did. */
export interface Failure {
  error: Error
  after: number
}

export type Play<T> = (actions: readonly T[]) => Promise<Failure | null>

const ruleOf = ({ error }: Failure): string => error.message.split(':')[0] ?? ''

export interface Shortened<T> {
  actions: readonly T[]
  failure: Failure
}

/** Leaves out halves, then quarters, down to single actions, until `isTimeUp`. */
export async function shorten<T>(
  all: readonly T[],
  failed: Failure,
  play: Play<T>,
  isTimeUp: () => boolean,
): Promise<Shortened<T>> {
  let [actions, failure] = [all.slice(0, failed.after + 1), failed]
  for (
    let size = Math.ceil(actions.length / 2);
    size >= 1 && !isTimeUp();
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = Math.max(0, actions.length - 1 - size); from >= 0 && !isTimeUp(); from -= size) {
      const fewer = [...actions.slice(0, from), ...actions.slice(from + size)]
      const found = await play(fewer)
      if (!found || ruleOf(found) !== ruleOf(failure)) continue
      actions = fewer.slice(0, found.after + 1)
      failure = found
      from = Math.min(from, actions.length)
    }
  }
  return { actions, failure }
}
