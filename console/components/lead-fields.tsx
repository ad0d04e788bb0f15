/** The fields of a lead as a readable list, with the JSON of the API below. */
import type { ComponentChildren } from 'preact'
import type { Lead } from '../../src/contract/leads.js'
import { Copy } from './copy.js'
import { Json, Outside, Panel, words } from './parts.js'
import { Time } from './time.js'

type Row = readonly [name: string, value: ComponentChildren]

/** Rows without a value are left out. */
function List({ label, rows }: { label: string; rows: readonly Row[] }) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== '')
  if (known.length === 0) return null
  return (
    <dl class="fields" aria-label={label}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const timeOf = (at: string | null) => (at === null ? null : <Time at={at} />)

export function LeadFields({ lead }: { lead: Lead }) {
  const { id, email, address, lead_source, owner, consent, fields, created, updated, callback_at, next_dial_at } = lead
  const { last_outcome, last_outcome_label, attempts, external_id, campaign_id } = lead
  const custom = Object.entries(fields)
  return (
    <Panel title="Fields" side={<Copy label="Copy id" text={id} />}>
      <List
        label="Fields of the lead"
        rows={[
          ['Phone', lead.phone],
          ['Email', email],
          ['Address', address],
          ['External id', external_id],
          ['Source', lead_source],
          ['Owner', owner?.name],
          ['Attempts', attempts],
          ['Last outcome', last_outcome === null ? null : (last_outcome_label ?? words(last_outcome))],
          ['Next call', timeOf(next_dial_at)],
          ['Callback', timeOf(callback_at)],
          ['Added', timeOf(created)],
          ['Changed', timeOf(updated)],
          ['Id', id],
          ['Campaign', campaign_id],
        ]}
      />
      {custom.length > 0 && (
        <>
          <h3>Custom fields</h3>
          <List label="Custom fields" rows={custom} />
        </>
      )}
      {consent && (
        <>
          <h3>Consent</h3>
          <List
            label="Consent"
            rows={[
              ['Source', words(consent.source)],
              ['Agreed', <Time at={consent.agreed_at} />],
              ['Address', consent.url === undefined ? null : <Outside url={consent.url} />],
              ['Text', consent.text],
              ['IP', consent.ip],
            ]}
          />
        </>
      )}
      <details class="raw">
        <summary>As the API shows it</summary>
        <Json label="The lead as JSON" value={lead} />
      </details>
    </Panel>
  )
}
