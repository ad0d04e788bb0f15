/** Flags that describe a lead, and the lead that they describe. */
import * as Flags from '@oclif/core/flags'
import { pairFlag, repeated } from '../base/flags.js'
import type { Interfaces } from '@oclif/core'

/** What can be set when a lead is added, and changed later. */
export const personFlags = {
  name: Flags.string({ summary: 'Name of the lead' }),
  email: Flags.string({ summary: 'Email address of the lead' }),
  address: Flags.string({ summary: 'Postal address of the lead' }),
  field: Flags.string({ summary: 'Custom field (repeatable)', helpValue: '<k=v>', ...repeated }),
}

export const leadFlags = {
  ...personFlags,
  'external-id': Flags.string({ summary: 'Id of the lead in your own system', helpValue: '<id>' }),
  'call-now': Flags.boolean({ summary: 'Dial the lead before other leads', allowNo: true }),
}

/** The lead as the API reads it, without campaign and phone. */
export const leadOf = (flags: Interfaces.InferredFlags<typeof leadFlags>) => ({
  name: flags.name,
  email: flags.email,
  address: flags.address,
  external_id: flags['external-id'],
  fields: flags.field && pairFlag(flags.field, '--field'),
  call_now: flags['call-now'],
})
