/** What an import of leads was started with. */
import type { Client, Contract } from '../../../client/client.js'
import type { SvcCommand } from '../../base/command.js'
import type { Consent } from '../lead-target.js'
import type { ImportUi } from '../ui.js'

export interface LeadImport {
  command: SvcCommand
  client: Client<Contract>
  /** Id of the campaign. */
  campaign: string
  ui: ImportUi
  flags: LeadImportFlags
  /** Parts of a consent for rows that lack them. */
  consent: Consent
  /** True if a person is asked before anything is sent. */
  isAsked: boolean
}

export interface LeadImportFlags {
  map?: string[] | undefined
  'fields-from-rest': boolean
  'skip-marked': boolean
  'skip-added': boolean
  again: boolean
  'dry-run': boolean
  rate?: number | undefined
}
