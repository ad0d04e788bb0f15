/** Schema of the call outcomes (rule S3). */
import * as z from 'zod'
import { outcomes } from '../enums.js'

export const Outcome = z.enum(outcomes).meta({ id: 'Outcome', description: 'How a call ended.' })
export type Outcome = z.output<typeof Outcome>
