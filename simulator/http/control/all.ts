/** Every route of the control plane with what serves it. */
import type { ControlHandlers } from '../handler.js'
import { clockHandlers } from './clock.js'
import { faultHandlers } from './faults.js'
import { leadHandlers } from './leads.js'
import type { Plane } from './plane.js'
import { recordHandlers } from './records.js'
import { scriptHandlers } from './scripts.js'
import { telephoneHandlers } from './telephone.js'
import { worldHandlers } from './world.js'

export const controlHandlersFor = (plane: Plane): Partial<ControlHandlers> => ({
  ...clockHandlers(plane),
  ...worldHandlers(plane),
  ...leadHandlers(plane),
  ...telephoneHandlers(plane),
  ...scriptHandlers(plane),
  ...faultHandlers(plane),
  ...recordHandlers(plane),
})
