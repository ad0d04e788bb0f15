/**
 * A custom starting world for a simulator. It can be the full answer of `GET /_sim/world`, or as little as one name:
 * everything left out is as in the default world.
 */
import * as z from 'zod'
import { SentId } from '../base/identifiers.js'
import { DateTimeInput } from '../base/date-time.js'
import { CampaignSettings } from './campaigns.js'
import { KeySettings, KeyStatus } from './keys.js'
import { Script } from './scripts.js'
import { OrganizationSettings } from './world.js'

const name = z.string().min(1)

/** Accepts a text as short form of an object with only that field. */
const orShort = <T extends z.ZodType>(field: string, schema: T) =>
  z.preprocess((sent) => (typeof sent === 'string' ? { [field]: sent } : sent), schema)

const Member = z.strictObject({ id: SentId.optional(), name, role: z.enum(['sdr', 'closer']).default('sdr') })

const FileCampaign = CampaignSettings.extend({
  id: SentId.optional(),
  object: z.literal('campaign').optional(),
  name,
  spent_usd: z.number().min(0).optional(),
  created: DateTimeInput.optional(),
  updated: DateTimeInput.optional(),
  livemode: z.boolean().optional(),
})

/** Reads the mode from the id if it is not given. */
const withMode = (sent: unknown) => {
  if (typeof sent === 'string') return { mode: sent }
  const mode = /^ck_(live|test)_/.exec(String((sent as { key_id?: unknown } | null)?.key_id))?.[1]
  return typeof sent === 'object' && sent !== null && mode !== undefined ? { mode, ...sent } : sent
}

const FileKey = z.preprocess(
  withMode,
  KeySettings.extend({
    key_id: z
      .string()
      .regex(/^ck_(live|test)_\w+$/, 'send an id like ck_live_... or ck_test_...')
      .optional(),
    secret: z
      .string()
      .regex(/^cs_(live|test)_\w+$/, 'send a secret like cs_live_... or cs_test_...')
      .optional(),
    name: name.optional(),
    mode: z.enum(['live', 'test']),
    status: KeyStatus.optional(),
    campaign_ids: z
      .array(z.string())
      .nullable()
      .optional()
      .meta({ description: 'Ids or names. Null is every campaign.' }),
  }),
)

const FileScript = Script.omit({ organization_id: true })

const FileOrganization = OrganizationSettings.extend({
  id: SentId.optional(),
  name,
  admins: z.array(z.email()).min(1).optional(),
  members: z.array(orShort('name', Member)).optional(),
  campaigns: z.array(orShort('name', FileCampaign)).optional().meta({ description: 'One that runs, if left out.' }),
  keys: z.array(FileKey).optional().meta({ description: 'One of either mode, if left out.' }),
  scripts: z.array(FileScript).optional(),
})
export type FileOrganization = z.output<typeof FileOrganization>

export const WorldFile = z.strictObject({
  organizations: z.array(orShort('name', FileOrganization)).min(1),
  scripts: z.array(Script).optional().meta({ description: 'Of the organization they name, or of the first.' }),
})
export type WorldFile = z.output<typeof WorldFile>
/** What a world file may contain, including short forms. */
export type WorldFileInput = z.input<typeof WorldFile>
