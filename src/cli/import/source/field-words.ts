/** Fields of a lead in plain words, for questions and previews. Flags name them as the API does. */
const words: Readonly<Record<string, string>> = {
  email: 'e-mail',
  first_name: 'first name',
  last_name: 'last name',
  external_id: 'your own id of the person',
  call_now: 'call first (yes or no)',
  'consent.source': 'how consent was given (web form, call, …)',
  'consent.agreed_at': 'when consent was given',
  'consent.text': 'text that was agreed to',
  'consent.url': 'page where consent was given',
  'consent.ip': 'IP address when consent was given',
}

/** "when consent was given" for `consent.agreed_at`, "custom field City" for `fields.City`. */
export const fieldInWords = (field: string): string => words[field] ?? field.replace(/^fields\./, 'custom field ')
