/**
 * A world of one's own for a simulator to start with. It may be what `GET /_sim/world` answers, or say as little as a
 * name: what is left out is as in the usual world.
 */
import { z } from 'zod'
import { SentId } from '../base/identifiers.js'
import { DateTimeInput } from '../base/date-time.js'
import { CampaignSettings } from './campaigns.js'
import { KeySettings, KeyStatus } from './keys.js'
import { Script } from './scripts.js'
import { OrganizationSettings } from './world.js'

const name = z.string().min(1)

/** A text stands for an object that says nothing else. */
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

/** The mode is read from the id where it is not said. */
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
/** What may be written: short forms, and little of it. */
export type WorldFileInput = z.input<typeof WorldFile>
