/** Schema of a permission's name. Separate from the list, because commands read the list without loading zod. */
import * as z from 'zod'
import { permissions } from '../permissions.js'

export const PermissionName = z.enum(permissions).meta({ id: 'Permission' })
