/** Every route of the control plane with what serves it. */
import type { ControlHandlers } from '../handler.js'
import { agendaHandlers } from './agenda.js'
import { clockHandlers } from './clock.js'
import { faultHandlers } from './faults.js'
import { keyHandlers } from './keys.js'
import { leadHandlers } from './leads.js'
import type { ControlContext } from './context.js'
import { recordHandlers } from './records.js'
import { scriptHandlers } from './scripts.js'
import { snapshotHandlers } from './snapshots.js'
import { telephoneHandlers } from './telephone.js'
import { worldHandlers } from './world.js'

export const controlHandlersFor = (plane: ControlContext): Omit<ControlHandlers, 'stream'> => ({
  ...clockHandlers(plane),
  ...worldHandlers(plane),
  ...keyHandlers(plane),
  ...leadHandlers(plane),
  ...telephoneHandlers(plane),
  ...scriptHandlers(plane),
  ...faultHandlers(plane),
  ...recordHandlers(plane),
  ...snapshotHandlers(plane),
  ...agendaHandlers(plane),
})
