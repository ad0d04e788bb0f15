/** Removes undefined properties from an object, so that only the fields that were sent remain. */

export type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

export const omitUndefined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
