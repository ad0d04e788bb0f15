/** Checks that an action had its expected results and no others. */
import { lineOf } from './line.js'
import { leadOf, type Mirror } from './mirror.js'
import { must } from './rule.js'
import type { Run } from '../run.js'
import type { Seen } from '../seen.js'

type Expected = Partial<Pick<Seen, 'created' | 'arrivals' | 'corrected'>>

const sorted = (ids: readonly string[]) => [...ids].sort().join()

/** Compares the results of an action with the expected ones. Each lead is created, requeued or corrected once. */
export async function expectSeen(
  run: Run,
  { created = [], arrivals = [], corrected = [] }: Expected = {},
): Promise<Seen> {
  const seen = await run.seen()
  const about = { seen, expected: { created, arrivals, corrected } }
  must(sorted(seen.created) === sorted(created), 'each lead that is taken in is created once', about)
  must(sorted(seen.arrivals) === sorted(arrivals), 'each lead that comes back is queued once', about)
  must(sorted(seen.corrected) === sorted(corrected), 'each correction is told of once', about)
  return seen
}

/** The number is now listed: each of its leads got an event, unless there is none. */
export function expectListed({ mirror }: Run, tenant: string, phone: string): void {
  const listed = mirror.dnc.get(tenant)
  if (listed?.has(phone)) return
  const leads = [...mirror.leads.values()].filter((lead) => lead.tenant === tenant && lead.phone === phone)
  must(leads.length === 0, 'every lead of a listed number is told of', { phone, leads })
  listed?.add(phone)
}

/** A call that ended at this moment may already have moved the queue on. */
const calledNow = ({ calls, now }: Mirror): boolean => [...calls.values()].some(({ ended }) => ended === now)

export interface Standing {
  status: string
  place_in_line: number | null
  estimated_wait_seconds: number | null
}

/** The reply shows the lead's status. */
export function expectStanding(mirror: Mirror, id: string, standing: Standing): void {
  const lead = leadOf(mirror, id)
  const line = lineOf(mirror, lead.tenant, lead.campaign)
  const place = lead.status === 'queued' ? line.indexOf(lead) + 1 : lead.status === 'dialing' ? 0 : null
  // A call that does not ring continues before the world is read.
  const wentOn = mirror.calls.get(lead.calls.at(-1) ?? '')?.started === mirror.now
  must(
    standing.status === lead.status || (wentOn && standing.status === 'dialing'),
    'an answer tells of the lead as it is',
    {
      standing,
      lead,
    },
  )
  if (standing.status !== lead.status || calledNow(mirror) || line.some(({ unsure }) => unsure)) return
  must(standing.place_in_line === place, 'a place in line is the place', { standing, lead, place })
}
