/** Reads and validates a world file or object. Reports every problem with its position. */
import { readFileSync } from 'node:fs'
import { WorldFile, type WorldFileInput } from '../../src/contract/control/world-file.js'
import { describeIssue } from '../../src/contract/base/issue.js'
import { parsePhone } from '../../src/phone/number.js'
import { isTimeZone } from './time-zone.js'

/** The world file cannot be used. The message lists the problems, one per line. */
export class WorldFileError extends RangeError {
  override name = 'WorldFileError'
}

const faultsShown = 10

/** Reads a file's path, or the content of such a file. */
export function readWorldFile(given: string | WorldFileInput): WorldFile {
  const name = typeof given === 'string' ? `The world file ${given}` : 'The given world'
  const value = typeof given === 'string' ? parseWorldFile(name, given) : given
  const result = WorldFile.safeParse(unwrapWorld(value))
  const faults = result.success
    ? describeFaults(result.data)
    : result.error.issues.map((issue) => {
        const { param, words } = describeIssue(issue)
        return param === null ? words : `${param}: ${words}`
      })
  if (result.success && faults.length === 0) return result.data
  const more = faults.length > faultsShown ? [`and ${faults.length - faultsShown} more`] : []
  throw new WorldFileError([`${name} cannot be used:`, ...faults.slice(0, faultsShown), ...more].join('\n  '))
}

function parseWorldFile(name: string, path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new WorldFileError(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new WorldFileError(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Takes the world out of `data`, if the value is a reply of the control API. */
function unwrapWorld(value: unknown): unknown {
  const isReply = typeof value === 'object' && value !== null && 'data' in value && !('organizations' in value)
  return isReply ? value.data : value
}

/** Finds problems that the schema cannot: references to missing things, and duplicate ids. */
function describeFaults({ organizations, scripts = [] }: WorldFile): string[] {
  const faults: string[] = []
  const seen = new Map<string, string>()
  const once = (place: string, id: string | undefined) => {
    const before = id === undefined ? undefined : seen.get(id)
    if (before !== undefined) faults.push(`${place}: the same as ${before}`)
    else if (id !== undefined) seen.set(id, place)
  }
  const phones = (place: string, written: readonly { phone: string }[]) =>
    written.forEach(({ phone }, i) => {
      if (parsePhone(phone).kind === 'invalid')
        faults.push(`${place}scripts[${i}].phone: ${phone} is not a telephone number`)
    })
  organizations.forEach((organization, o) => {
    const at = `organizations[${o}].`
    const { members = [], campaigns = [], keys = [], time_zone } = organization
    once(`${at}id`, organization.id)
    if (time_zone !== undefined && !isTimeZone(time_zone))
      faults.push(`${at}time_zone: ${time_zone} is not a time zone of the IANA database`)
    members.forEach(({ id }, i) => once(`${at}members[${i}].id`, id))
    campaigns.forEach(({ id }, i) => once(`${at}campaigns[${i}].id`, id))
    keys.forEach((key, i) => {
      const place = `${at}keys[${i}]`
      once(`${place}.key_id`, key.key_id)
      once(`${place}.secret`, key.secret)
      if (key.key_id && !key.key_id.startsWith(`ck_${key.mode}_`))
        faults.push(`${place}.key_id: it is not that of a ${key.mode} key`)
      if (key.secret && !key.secret.startsWith(`cs_${key.mode}_`))
        faults.push(`${place}.secret: it is not that of a ${key.mode} key`)
      key.campaign_ids?.forEach((named, c) => {
        const isThere = campaigns.some(({ id, name }) => id === named.toLowerCase() || name === named)
        if (!isThere) faults.push(`${place}.campaign_ids[${c}]: the organization has no campaign ${named}`)
      })
    })
    phones(at, organization.scripts ?? [])
  })
  scripts.forEach(({ organization_id: named }, i) => {
    const isThere =
      named === undefined || organizations.some(({ id, name }) => id === named.toLowerCase() || name === named)
    if (!isThere) faults.push(`scripts[${i}].organization_id: there is no organization ${named}`)
  })
  phones('', scripts)
  return faults
}
