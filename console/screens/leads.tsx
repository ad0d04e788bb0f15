/** Leads: a table with filters. The server finds and pages them, so it works with any number of leads. */
import { useState } from 'preact/hooks'
import type { ListedLead } from '../../src/contract/control/lead-views.js'
import { leadStatuses } from '../../src/contract/enums.js'
import { addressOf, goTo, place, scope } from '../api/place.js'
import { call } from '../api/request.js'
import { useResource } from '../api/resource.js'
import { campaignName, organization } from '../api/world.js'
import { AddLead } from '../components/add-lead.js'
import { count, Empty, Link, Loaded, StatusTag, Tag, words } from '../components/parts.js'
import { SearchBox } from '../components/search-box.js'
import { Relative } from '../components/time.js'
import { pulse } from '../api/pulse.js'

const reasons = [
  'outside_calling_hours',
  'recent_contact_cooldown',
  'retry_after_outcome',
  'next_dial_time',
  'campaign_paused',
  'campaign_not_started',
  'spend_cap_reached',
] as const

const pageSize = 50
/** A search that stops early is continued for at most this many requests, then by a person. */
const searchesMost = 120

interface Found {
  leads: ListedLead[]
  next: string | null
  isPartial: boolean
}

type Filters = Record<'status' | 'campaign_id' | 'reason' | 'text' | 'starting_after', string | undefined>

function filters(): Filters {
  const { query } = place.value
  const of = (name: string) => query.get(name) ?? undefined
  return {
    status: of('status'),
    campaign_id: of('campaign'),
    reason: of('reason'),
    text: of('text'),
    starting_after: of('after'),
  }
}

/** Reads one page. Shows what was found so far while a search goes on. */
async function find(wanted: Filters, show: (found: Found) => void, signal: AbortSignal): Promise<Found> {
  const leads: ListedLead[] = []
  let after = wanted.starting_after
  for (let i = 0; ; i++) {
    const query = { ...scope.peek(), ...wanted, starting_after: after, limit: pageSize - leads.length } as object
    const { data, meta } = await call('listLeadsInApp', { query }, signal)
    leads.push(...data)
    const found = { leads: [...leads], next: meta.next_cursor, isPartial: meta.is_partial }
    if (!meta.is_partial || leads.length >= pageSize || i >= searchesMost) return found
    show(found)
    after = meta.next_cursor ?? undefined
  }
}

export function Leads() {
  const wanted = filters()
  const key = JSON.stringify([scope.value, wanted])
  const [partial, setPartial] = useState<{ key: string; found: Found } | null>(null)
  // A search reads many leads, so it does not run again with every change of the world.
  const isSearch = wanted.text !== undefined || wanted.reason !== undefined
  const found = useResource(
    key,
    (signal) => find(wanted, (some) => setPartial({ key, found: some }), signal),
    !isSearch,
  )
  const early = partial?.key === key ? partial.found : null
  const shown = found.isStale && early ? { ...found, data: early } : found
  const isFiltered = Object.values(wanted).some((value) => value !== undefined)
  return (
    <section class="panel wide" aria-label="Leads">
      <Toolbar wanted={wanted} />
      <Loaded of={shown}>
        {({ leads, next, isPartial }) =>
          leads.length === 0 && !isPartial ? (
            isFiltered ? (
              <Empty title="No lead fits these filters.">
                <Link screen="leads">Show all leads</Link>
              </Empty>
            ) : (
              <Empty title="There is no lead yet.">
                <p>Add one here, or import a file with svc leads import.</p>
                <AddLead />
              </Empty>
            )
          ) : (
            <>
              <Table leads={leads} isStale={found.isStale} />
              <Pager
                next={next}
                after={wanted.starting_after}
                shown={leads.length}
                isPartial={isPartial}
                isSearching={isPartial && found.isStale}
              />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Toolbar({ wanted }: { wanted: Filters }) {
  const choose = (name: string, value: string) =>
    goTo(addressOf({ set: { [name]: value, after: null } }), { replace: true })
  const campaigns = organization.value?.campaigns ?? []
  return (
    <form class="toolbar" role="search" onSubmit={(event) => event.preventDefault()}>
      <SearchBox
        label="Search by name, phone, external id or id"
        placeholder="Name, phone, external id"
        value={wanted.text ?? ''}
        onSearch={(text) => choose('text', text)}
      />
      <Choice
        name="status"
        label="Status"
        all="Every status"
        value={wanted.status}
        options={leadStatuses.map((one) => [one, words(one)])}
        onChoose={choose}
      />
      <Choice
        name="campaign"
        label="Campaign"
        all="Every campaign"
        value={wanted.campaign_id}
        options={campaigns.map(({ id, name }) => [id, name])}
        onChoose={choose}
      />
      <Choice
        name="reason"
        label="Waiting reason"
        all="Any reason to wait"
        value={wanted.reason}
        options={reasons.map((one) => [one, words(one)])}
        onChoose={choose}
      />
      <AddLead />
    </form>
  )
}

interface ChoiceProps {
  name: string
  label: string
  all: string
  value: string | undefined
  options: readonly (readonly [string, string])[]
  onChoose: (name: string, value: string) => void
}

export function Choice({ name, label, all, value = '', options, onChoose }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChoose(name, event.currentTarget.value)}>
      <option value="">{all}</option>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  )
}

function Table({ leads, isStale }: { leads: readonly ListedLead[]; isStale: boolean }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table of leads">
      <table class={isStale ? 'stale' : ''}>
        <thead>
          <tr>
            <th scope="col">Lead</th>
            <th scope="col" class="wide-only">
              Phone
            </th>
            <th scope="col">Status</th>
            <th scope="col" class="wide-only">
              Waits for
            </th>
            <th scope="col" class="wide-only">
              Campaign
            </th>
            <th scope="col" class="wide-only amount">
              Calls
            </th>
            <th scope="col" class="wide-only">
              Last outcome
            </th>
            <th scope="col">Next</th>
          </tr>
        </thead>
        <tbody>
          {leads.map((lead) => (
            <tr key={lead.id}>
              <td>
                <Link screen="leads" id={lead.id} class="strong">
                  {lead.name ?? lead.phone}
                </Link>
                <small class="quiet block narrow-only">{lead.phone}</small>
              </td>
              <td class="wide-only number">{lead.phone}</td>
              <td>
                <StatusTag status={lead.status} /> {lead.call_now && <Tag tone="teal">call now</Tag>}{' '}
                {lead.late && <Tag tone="red">late</Tag>}
                {lead.reason !== null && <small class="quiet block narrow-only">{words(lead.reason)}</small>}
              </td>
              <td class="wide-only">{lead.reason === null ? '' : words(lead.reason)}</td>
              <td class="wide-only">{campaignName(lead.campaign_id)}</td>
              <td class="wide-only number amount">{lead.attempts}</td>
              <td class="wide-only">{lead.last_outcome === null ? '' : words(lead.last_outcome)}</td>
              <td>{lead.next_at !== null && <Relative at={lead.next_at} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PagerProps {
  next: string | null
  after: string | undefined
  shown: number
  /** Whether the search stopped before the last lead. */
  isPartial: boolean
  isSearching: boolean
}

function Pager({ next, after, shown, isPartial, isSearching }: PagerProps) {
  const counts = pulse.value?.leads ?? {}
  const total = Object.values(counts).reduce((sum: number, many) => sum + (many as number), 0)
  return (
    <div class="row pager">
      <span class="quiet">
        {isSearching
          ? `Searching ${count(total)} leads, ${shown} found...`
          : isPartial
            ? `${shown} found so far`
            : `${shown} shown, newest first, of ${count(total)}`}
      </span>
      {after !== undefined && <Link set={{ after: null }}>First page</Link>}
      {next !== null && !isSearching && <Link set={{ after: next }}>{isPartial ? 'Search further' : 'Next page'}</Link>}
    </div>
  )
}
