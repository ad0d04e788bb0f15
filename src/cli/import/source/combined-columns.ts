/**
 * Fields that several columns of a file fill together: the parts of a name, and several phone numbers. Such a column has the
 * field's name with a rank, such as `phone#2`.
 */

/** Headers of exports, in lower case without spaces, dashes and underscores, by preference. */
const phoneHeaders: readonly (readonly string[])[] = [
  ['mobile', 'mobilephone', 'mobilenumber', 'mobilephonenumber', 'cell', 'cellphone', 'cellphonenumber'],
  ['phone', 'phonenumber', 'telephone', 'telephonenumber', 'tel', 'phone1value'],
  // Spreadsheets of people who work in Spanish, French, German or Portuguese.
  ['teléfono', 'telefono', 'téléphone', 'telefon', 'telefonnummer', 'telefone', 'celular', 'móvil', 'handy'],
  ['primaryphone', 'primaryphonenumber', 'mainphone'],
  ['homephone', 'homephonenumber', 'homephone2', 'phone2value'],
  ['businessphone', 'businessphone2', 'workphone', 'officephone', 'companymainphone', 'companyphone', 'phone3value'],
  ['otherphone', 'assistantphone'],
]

/** Every header that names a phone column. */
export const allPhoneHeaders: readonly string[] = phoneHeaders.flat()

const nameHeaders: readonly (readonly string[])[] = [
  ['firstname', 'givenname', 'forename', 'nombre', 'prénom', 'vorname', 'fname', 'first'],
  ['lastname', 'surname', 'familyname', 'apellido', 'apellidos', 'nachname', 'sobrenome', 'lname', 'last'],
]

/** Headers of columns with the whole name of a person, the preferred one first. */
export const personHeaders: readonly string[] = ['fullname', 'contactname', 'contactfullname', 'personname', 'leadname']

/** A header for comparison: in lower case, without spaces, dashes and underscores. */
export const normalizeHeader = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')

/** Rank of a header in a group; -1 if it is not in it. */
const rankIn = (groups: readonly (readonly string[])[], header: string): number => {
  const found = groups.findIndex((group) => group.includes(header))
  return found < 0 ? -1 : found * 10 + (groups[found] ?? []).indexOf(header)
}

/** Rank of a phone header, lowest first; -1 for any other header. */
export const phoneRank = (header: string): number => rankIn(phoneHeaders, header)

/** Rank of a part of a name: the first name before the last name; -1 for any other header. */
export const nameRank = (header: string): number => rankIn(nameHeaders, header)

/** 1 for a first name, 2 for a last name, 0 for any other header. */
export const nameGroup = (header: string): number => Math.floor(nameRank(header) / 10) + 1

/** A part of a name only next to the other part: "Last" may be a date. */
export const isVagueName = (header: string): boolean => header === 'first' || header === 'last'

/** `phone` for `phone#2`. The name of a custom field stays. */
export const plainField = (field: string): string => field.replace(/^(phone|name)#\d+$/, '$1')

/** Joins the parts of a name; takes the first of several phones. */
export function combineValues(field: string, values: readonly string[]): string {
  if (field === 'name') return values.filter(Boolean).join(' ')
  // Google Contacts separates the numbers of one column like this.
  return values.find(Boolean)?.split(' ::: ')[0] ?? ''
}

/** The columns that fill a field, the preferred one first. */
export function columnsOf(fields: readonly (string | undefined)[], field: string): number[] {
  const rank = (at: number) => Number(fields[at]?.split('#')[1] ?? 0)
  return [...fields.keys()]
    .filter((at) => fields[at] !== undefined && plainField(fields[at]) === field)
    .sort((a, b) => rank(a) - rank(b))
}
