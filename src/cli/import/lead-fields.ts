/** Fields of a lead as columns: their aliases, and the conversion from row to lead. */
import type { Field } from './columns.js'

/** Fields with the aliases of their columns. */
export const leadFields: readonly Field[] = [
  {
    name: 'phone',
    also: [
      'phonenumber',
      'telephone',
      'telephonenumber',
      'tel',
      'mobile',
      'mobilephone',
      'mobilenumber',
      'cell',
      'cellphone',
    ],
  },
  { name: 'name', also: ['fullname', 'contactname', 'leadname', 'customername'] },
  { name: 'email', also: ['emailaddress', 'mail'] },
  { name: 'address', also: ['streetaddress', 'postaladdress', 'mailingaddress', 'homeaddress'] },
  { name: 'external_id', also: ['extid', 'crmid'] },
  { name: 'call_now', also: [] },
  { name: 'consent.source', also: ['consentsource'] },
  { name: 'consent.agreed_at', also: ['consentagreedat', 'consentat', 'agreedat', 'consentdate'] },
  { name: 'consent.text', also: ['consenttext'] },
  { name: 'consent.url', also: ['consenturl'] },
  { name: 'consent.ip', also: ['consentip'] },
]

/** Consent fields by name. */
export type Consent = Readonly<Record<string, string>>

/** The consent fields that have a value. */
export const partsGiven = (consent: Readonly<Record<string, string | undefined>> = {}): Consent =>
  Object.fromEntries(Object.entries(consent).filter((part): part is [string, string] => part[1] !== undefined))

/** Lead to send for a row. The service validates it. */
export interface LeadWords {
  phone: string
  call_now?: boolean | string
  fields?: Record<string, string>
  consent?: Record<string, string>
  [field: string]: unknown
}

const yes = /^(true|yes|y|1)$/i
const no = /^(false|no|n|0)$/i

/** Leaves out empty values. Takes missing consent fields from `consent`. */
export function leadOf(
  values: readonly string[],
  fields: readonly (string | undefined)[],
  consent: Consent,
): LeadWords {
  const plain: [string, unknown][] = []
  const inner: Record<'fields' | 'consent', [string, string][]> = { fields: [], consent: Object.entries(consent) }
  for (const [at, field] of fields.entries()) {
    const value = unescapeFormula((values[at] ?? '').trim())
    if (field === undefined || value === '') continue
    const [, group, name = ''] = /^(fields|consent)\.([^]+)$/.exec(field) ?? []
    if (group === 'fields' || group === 'consent') inner[group].push([name, value])
    else plain.push([field, field === 'call_now' ? flag(value) : value])
  }
  const groups = Object.entries(inner).filter(([, parts]) => parts.length > 0)
  return {
    phone: '',
    ...Object.fromEntries(plain),
    ...Object.fromEntries(groups.map(([group, parts]) => [group, Object.fromEntries(parts)])),
  }
}

const flag = (text: string): boolean | string => (yes.test(text) ? true : no.test(text) ? false : text)

/** Removes the apostrophe that exports and files of refused rows put before formulas (rule X1). */
export const unescapeFormula = (text: string): string =>
  text.replace(/(^|[\n\r;])'(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g, '$1')
