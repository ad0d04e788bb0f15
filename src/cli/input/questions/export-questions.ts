/** Asks what to export, of which campaign and days, and into which file. */
import { existsSync } from 'node:fs'
import type { Client, Contract } from '../../../client/client.js'
import { exportTypes } from '../../../contract/enums.js'
import { campaignChoices } from './choices.js'
import { isDay } from '../date-time.js'
import { freeName, readPath } from '../file-names.js'
import type { MissingValue } from './prompt-for-missing.js'

interface ExportFlags {
  type?: string | undefined
  campaign?: string | undefined
  'start-date'?: string | undefined
  'end-date'?: string | undefined
  download?: string | undefined
}

/** Only the content is required. The others are asked for together with it. */
export function exportNeeds(client: Client<Contract>, flags: ExportFlags): MissingValue[] {
  const types = () => Promise.resolve(exportTypes.map((type) => ({ name: typeNames[type], value: type })))
  const campaigns = async () => [{ name: 'All campaigns', value: '' }, ...(await campaignChoices(client, () => true))]
  const day = { isOptional: true, check: checkDay }
  return [
    { flag: '--type', label: 'What', value: flags.type, choices: types },
    { flag: '--campaign', label: 'Campaign', value: flags.campaign, choices: campaigns, isOptional: true },
    { flag: '--start-date', label: 'First day, such as 2026-10-01 or monday', value: flags['start-date'], ...day },
    { flag: '--end-date', label: 'Last day', value: flags['end-date'], ...day },
    {
      ...{ flag: '--download', label: 'Save as', value: flags.download, isOptional: true, isFile: true },
      ...{ usual: ([type = '']) => freeName(`${type}.csv`), read: readPath, check: checkNew },
    },
  ]
}

const typeNames: Readonly<Record<(typeof exportTypes)[number], string>> = {
  leads: 'Leads',
  call_history: 'Calls',
  analytics: 'Analytics: leads, calls and outcomes for each day',
}

/** Also accepts nothing: without a day, the export has no limit. */
function checkDay(text: string): string | true {
  return text === '' || isDay(text) || 'That is not a day. It reads like 2026-10-01, yesterday, monday or 7d.'
}

/** A file is replaced only if it was named on the command line. */
const checkNew = (path: string): string | true => !existsSync(path) || `${path} exists. Type another name.`
