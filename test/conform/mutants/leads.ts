/** Mutants that add and change leads wrongly. */
import type { LeadAccepted } from '../../../src/contract/new-leads.js'
import { jsonOf } from './mutating-proxy.js'
import {
  aLead,
  answering,
  codeOf,
  lineOf,
  rehearsed,
  replying,
  sending,
  withJson,
  type Body,
  type Mutant,
} from './mutant.js'

interface SentLead {
  campaign_id?: string
  consent?: unknown
  phone?: unknown
}

export const leads: Mutant[] = [
  {
    name: 'the phone is checked before the campaign',
    rule: 'A1',
    groups: ['leads'],
    make: () =>
      answering(aLead, async (answer, asked, _next, to) => {
        if (answer.status !== 404) return undefined
        const again = await rehearsed(asked, to, {})
        return codeOf(again) === 'invalid_phone' ? again : undefined
      }),
  },
  {
    name: 'the Do Not Call list is checked before the kind of the number',
    rule: 'A1',
    groups: ['leads'],
    make: () =>
      answering(aLead, async (answer, asked, _next, to) => {
        if (codeOf(answer) !== 'number_not_allowed') return undefined
        const phone = String(jsonOf(asked.body)?.['phone'])
        const found = await to.ask('GET', `/dnc/check?phone=${encodeURIComponent(phone)}`)
        if (jsonOf<Body>(found.body)?.data['onDncList'] !== true) return undefined
        const { error } = jsonOf<Body>(answer.body) as Body
        const { reason: _reason, ...rest } = error
        return withJson(answer, { error: { ...rest, code: 'on_dnc_list' } })
      }),
  },
  {
    name: 'consent is checked before duplicates',
    rule: 'A1',
    groups: ['leads'],
    make: () =>
      answering(/^POST .*\/leads(\/batch)?$/, async (answer, asked, _next, to) => {
        const { data, error } = jsonOf<Partial<Body>>(answer.body) ?? {}
        const sent = jsonOf<SentLead & { leads?: SentLead[] }>(asked.body) ?? {}
        const inPath = /^\/campaigns\/([^/]+)/.exec(asked.path)?.[1]
        const lacksConsent = async (lead: SentLead) => {
          const id = lead.campaign_id ?? sent.campaign_id ?? inPath
          const campaign = jsonOf<Body>((await to.ask('GET', `/campaigns/${id}`)).body)?.data
          return campaign?.['consent_required'] === true && lead.consent === undefined
        }
        const required = { code: 'consent_required', lead_id: undefined }
        if (error?.['code'] === 'duplicate_lead' && (await lacksConsent(sent)))
          return withJson(answer, { error: { ...error, ...required } }, 422)
        const results = (data?.['results'] ?? []) as { error?: { code: string } }[]
        for (const [at, result] of results.entries()) {
          if (result.error?.code === 'duplicate_lead' && (await lacksConsent(sent.leads?.[at] ?? {})))
            Object.assign(result.error, required)
        }
        return results.length > 0 ? withJson(answer, { data }) : undefined
      }),
  },
  {
    name: 'a dry run saves the lead',
    rule: 'A5',
    groups: ['leads'],
    make: () => ({
      request: async (asked, next) => {
        const body = jsonOf(asked.body)
        if (!aLead.test(lineOf(asked)) || body?.['dry_run'] !== true) return next(asked)
        const answer = await next({ ...asked, body: Buffer.from(JSON.stringify({ ...body, dry_run: false })) })
        const { data } = jsonOf<Body>(answer.body) ?? {}
        return data ? withJson(answer, { data: { ...data, id: null, dry_run: true } }, 200) : answer
      },
    }),
  },
  {
    name: 'a duplicate is queued again at once',
    rule: 'D9',
    groups: ['leads'],
    make: () =>
      answering(aLead, async (answer, asked, _next, to) => {
        if (codeOf(answer) !== 'duplicate_lead') return undefined
        const { lead_id } = (jsonOf<Body>(answer.body) as Body).error
        const again = await rehearsed(asked, to, { phone: '+16462015001', external_id: undefined })
        const { data } = jsonOf<{ data: LeadAccepted }>(again.body) ?? {}
        return data && withJson(again, { data: { ...data, id: lead_id, dry_run: false, requeued: true } }, 200)
      }),
  },
  {
    name: 'an empty text does not clear a field',
    rule: 'A7',
    groups: ['leads'],
    make: () =>
      sending(/^PATCH \/leads/, (body) => {
        for (const name of ['name', 'email', 'address']) if (!body[name]) delete body[name]
      }),
  },
  {
    name: 'a number with brackets is refused',
    rule: 'A3',
    groups: ['leads'],
    make: () =>
      sending(/^POST .*\/leads(\/batch)?$/, (body) => {
        for (const lead of [body, ...((body['leads'] ?? []) as SentLead[])]) {
          if (/^\(/.test(String(lead['phone']))) lead['phone'] = 'x'
        }
      }),
  },
  {
    name: 'a batch ends with the first lead that is refused',
    rule: 'A6',
    groups: ['batch'],
    make: () =>
      replying(/\/leads\/batch$/, ({ data }, { status }) => {
        if (status !== 200) return
        const results = data['results'] as { ok: boolean }[]
        const end = results.findIndex(({ ok }) => !ok) + 1
        if (end > 0) Object.assign(data, { results: results.slice(0, end), succeeded: end - 1, failed: 1 })
      }),
  },
  {
    name: 'a batch holds 61 leads',
    rule: 'L5',
    groups: ['batch'],
    make: () => ({
      request: async (asked, next) => {
        const body = jsonOf<{ leads?: unknown[] }>(asked.body)
        if (body?.leads?.length !== 61) return next(asked)
        const answer = await next({
          ...asked,
          body: Buffer.from(JSON.stringify({ ...body, leads: body.leads.slice(0, 60) })),
        })
        const { data } =
          jsonOf<{ data?: { results: { ok: boolean }[]; succeeded: number; failed: number } }>(answer.body) ?? {}
        const last = data?.results.at(-1)
        if (!data || !last) return answer
        const results = [...data.results, { ...last, index: 60 }]
        const succeeded = results.filter(({ ok }) => ok).length
        return withJson(answer, { data: { ...data, results, succeeded, failed: results.length - succeeded } })
      },
    }),
  },
]
