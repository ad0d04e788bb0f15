/** Whose data a route of the control plane is about, where the addressed object does not tell. */
import { z } from 'zod'
import { Mode } from '../base/identifiers.js'

/** Left out: live data of the world's first organization. */
export const tenantScope = {
  mode: Mode.default('live'),
  organization_id: z.string().optional().meta({ description: "The world's first one if left out." }),
}
