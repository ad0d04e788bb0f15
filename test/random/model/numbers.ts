/** The phone numbers of the random runs, with the time zones of their area codes in an independent table. */

const coastToCoast = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
] as const

/** Leaves out Canadian zones that stopped changing their clocks in 2026, because the platform's data is older. */
const zonesByAreaCode: Readonly<Record<string, readonly string[]>> = {
  '212': ['America/New_York'],
  '312': ['America/Chicago'],
  '602': ['America/Phoenix'],
  '310': ['America/Los_Angeles'],
  '808': ['Pacific/Honolulu'],
  '902': ['America/Halifax'],
  // Area codes with several zones: open when all of them are.
  '850': ['America/New_York', 'America/Chicago'],
  '208': ['America/Boise', 'America/Los_Angeles'],
  '907': ['America/Anchorage', 'America/Adak'],
  '709': ['America/St_Johns', 'America/Goose_Bay'],
  // Toll-free numbers have no area.
  '800': coastToCoast,
}

const perAreaCode = 12

/** Every callable number, in turn through the area codes. */
export const callable: readonly string[] = Array.from({ length: perAreaCode }, (_, n) =>
  Object.keys(zonesByAreaCode).map((areaCode) => `+1${areaCode}736${5_000 + n}`),
).flat()

/** For test keys only. Hours and cooldown do not apply. */
export const reserved: readonly string[] = ['+15550100001', '+15550100002']

/** Refused numbers with their error codes. */
export const refused: Readonly<Record<string, string>> = {
  '+19007365000': 'number_not_allowed',
  '+18767365000': 'number_not_allowed',
  '+12125550123': 'invalid_phone',
  '+1212': 'invalid_phone',
}

/** The zones that must all allow a call; empty for the reserved numbers. */
export function zonesOf(phone: string): readonly string[] {
  if (reserved.includes(phone)) return []
  const zones = zonesByAreaCode[phone.slice(2, 5)]
  if (!zones) throw new Error(`no zone is known for ${phone}`)
  return zones
}
