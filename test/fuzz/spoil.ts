/** Spoils a valid body: removes a value, replaces it with another, adds one, or repeats one. */
import fc from 'fast-check'
import { many, text, value } from './values.js'

type Json = Record<string, unknown> | unknown[]

/** The change and its place. The place is a number that is reduced modulo the number of places. */
type Way = { at: number } & (
  | { way: 'take out' }
  | { way: 'put'; value: unknown }
  | { way: 'add'; name: string; value: unknown }
  | { way: 'repeat'; times: number }
)

interface Place {
  holder: Json
  name: string | number
}

function placesIn(holder: Json): Place[] {
  const names = Array.isArray(holder) ? [...holder.keys()] : Object.keys(holder)
  return names.flatMap((name) => {
    const inside = (holder as Record<string | number, unknown>)[name]
    return [{ holder, name }, ...(isJson(inside) ? placesIn(inside) : [])]
  })
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

const put = (holder: Json, name: string | number, value: unknown) =>
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })

function takeOut(holder: Json, name: string | number): void {
  if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else delete holder[name]
}

function spoilOnce(body: Json, given: Way): void {
  // A copy, because a value may be put into itself or used in other bodies.
  const way = structuredClone(given)
  const places = placesIn(body)
  const place = places[way.at % Math.max(1, places.length)]
  if (!place) return
  const { holder, name } = place
  const inside = (holder as Record<string | number, unknown>)[name]
  const list = Array.isArray(inside) ? inside : Array.isArray(holder) ? holder : null
  const object = isJson(inside) && !Array.isArray(inside) ? inside : body
  if (way.way === 'put') put(holder, name, way.value)
  else if (way.way === 'add') put(object, way.name, way.value)
  else if (way.way === 'take out') takeOut(holder, name)
  else if (list) list.splice(0, list.length, ...Array.from({ length: way.times }, () => list[0] as unknown))
  else for (let n = 0; n < way.times; n++) put(object, `more${n}`, 'x')
}

const at = fc.nat(10_000)
const way: fc.Arbitrary<Way> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ at, way: fc.constant('take out' as const) }) },
  { weight: 6, arbitrary: fc.record({ at, way: fc.constant('put' as const), value }) },
  { weight: 2, arbitrary: fc.record({ at, way: fc.constant('add' as const), name: text, value }) },
  { weight: 1, arbitrary: fc.record({ at, way: fc.constant('repeat' as const), times: many }) },
)

/** A valid body, changed in up to three ways or not at all. */
export const spoiled = (right: fc.Arbitrary<object>): fc.Arbitrary<unknown> =>
  fc.tuple(right, fc.oneof(fc.constant([]), fc.array(way, { maxLength: 3 }))).map(([body, ways]) => {
    const copy = structuredClone(body) as Json
    for (const one of ways) spoilOnce(copy, one)
    return copy
  })
