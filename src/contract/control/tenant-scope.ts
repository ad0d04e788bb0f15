/** Query parameters that select the organization and mode of a control route. */
import * as z from 'zod'
import { Mode } from '../base/identifiers.js'

/** By default, live data of the first organization. */
export const tenantScope = {
  mode: Mode.default('live'),
  organization_id: z.string().optional().meta({ description: "The world's first one if left out." }),
}
