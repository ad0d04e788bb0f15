/** The name of a permission as a schema, apart from the list: commands read the list without zod. */
import { z } from 'zod'
import { permissions } from '../permissions.js'

export const PermissionName = z.enum(permissions).meta({ id: 'Permission' })
