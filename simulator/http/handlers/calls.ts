/** Serves calls: lists, single calls and transcripts. */
import type { InputOf } from '../../../src/contract/base/endpoint.js'
import type { Contract } from '../../../src/contract/index.js'
import { pageSizeMax } from '../../../src/contract/limits.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { toIso } from '../../kernel/instant.js'
import { serializeCall, hasTranscript } from '../../model/serialize/calls.js'
import type { Call, CallFilter } from '../../model/call.js'
import type { TranscriptLine } from '../../model/world.js'
import type { Principal } from '../principal.js'
import { cursorNumber } from '../cursor.js'
import { replyOk, replyPage, type Handlers } from '../handler.js'
import { filterInstant } from '../moment-filter.js'

export const callHandlers: Pick<Handlers, 'listCalls' | 'getCall' | 'getTranscript'> = {
  listCalls: (caller, input) => {
    const { offset, status, limit } = input.query
    return offset !== undefined || status !== undefined || limit > pageSizeMax
      ? olderList(caller, input)
      : listCalls(caller, input)
  },
  getCall: (caller, { params }) => replyOk(serializeCall(caller.tenant, caller.call(params.id))),
  getTranscript: (caller, { params, query }) => {
    const call = caller.call(params.id)
    if (!hasTranscript(call)) throw new ApiError('not_found', 'The call has no transcript.')
    const lines = caller.world.carrier.transcript(caller.tenant, call).map((line) => ({
      speaker: line.speaker,
      name: nameOf(caller, call, line.speaker),
      text: line.text,
      at: toIso(line.at),
    }))
    if (query.format === 'text') {
      return { status: 200, body: lines.map(({ name, text }) => `${oneLine(name)}: ${oneLine(text)}\n`).join('') }
    }
    return replyOk({ call_id: caller.tenant.calls.id(call.n), lines, livemode: caller.live })
  },
}

/** Puts a text on one line, because each line of a text transcript is one speaker's turn. */
const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n\u2028\u2029]\s*/g, ' ')

type ListInput = InputOf<Contract['listCalls']>

function filterOf(caller: Principal, { query }: ListInput): CallFilter {
  const { tenant } = caller
  const named =
    query.lead_id === undefined ? undefined : [caller.leadOrNull(query.lead_id)].filter((lead) => lead !== null)
  const known = query.external_id === undefined ? undefined : tenant.leads.listByExternalId(query.external_id)
  const leads = named && known ? known.filter(({ n }) => n === named[0]?.n) : (named ?? known)
  return {
    campaigns: caller.campaignsToRead(query.campaign_id),
    leads: leads?.map(({ n }) => n),
    outcome: query.outcome,
    status: query.status,
    startedFrom: filterInstant(query['created[gte]']),
    startedTo: filterInstant(query['created[lte]']),
  }
}

function listCalls(caller: Principal, input: ListInput) {
  const { tenant } = caller
  const { limit, starting_after } = input.query
  const before = cursorNumber(starting_after, (id) => caller.callOrNull(id)?.n)
  const rows = tenant.calls.page(filterOf(caller, input), before, limit + 1)
  return replyPage(rows, limit, (call) => serializeCall(tenant, call))
}

/** When the older parameters were deprecated, in Unix seconds: the day of the API version. */
const deprecatedSince = Date.UTC(2026, 9, 1) / 1000

/** The deprecated list shape, for `offset`, `status` and a limit over 100 (rule P4). */
function olderList(caller: Principal, input: ListInput) {
  const { tenant } = caller
  const { limit, offset = 0 } = input.query
  const filter = filterOf(caller, input)
  const data = tenant.calls.page(filter, null, limit, offset).map((call) => serializeCall(tenant, call))
  return {
    status: 200 as const,
    body: { data, total: tenant.calls.total(filter), limit, offset, livemode: caller.live },
    headers: {
      Deprecation: `@${deprecatedSince}`,
      Link: '</openapi.json>; rel="deprecation"; type="application/json"',
    },
  }
}

function nameOf({ tenant }: Principal, call: Call, speaker: TranscriptLine['speaker']): string {
  if (speaker === 'ai') return 'AI agent'
  if (speaker === 'agent') return tenant.members.find(({ n }) => n === call.handler)?.name ?? 'Agent'
  return (call.lead === null ? null : tenant.leads.get(call.lead).name) ?? 'Lead'
}
