/** What was really sent: a property that is undefined was not. */

export type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

export const omitUndefined = <T extends object>(words: T): Defined<T> =>
  Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined)) as Defined<T>
