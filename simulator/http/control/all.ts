/** Collects the handlers of every control endpoint. */
import type { ControlHandlers } from '../handler.js'
import { agendaHandlers } from './agenda.js'
import { clockHandlers } from './clock.js'
import { explainHandlers } from './explain.js'
import { deliveryDetailHandlers } from './console/delivery-details.js'
import { faultHandlers } from './faults/faults.js'
import { figuresHandlers } from './console/figures.js'
import { keyHandlers } from './keys.js'
import { leadHandlers } from './leads.js'
import { leadViewHandlers } from './console/lead-views.js'
import { onBehalfHandlers } from './on-behalf.js'
import type { ControlContext } from './context.js'
import { recordHandlers } from './records.js'
import { scheduleHandlers } from './console/schedule.js'
import { metricsHandlers } from './metrics/scrape.js'
import { scriptHandlers } from './scripts.js'
import { snapshotHandlers } from './snapshots.js'
import { telephoneHandlers } from './telephone.js'
import { worldHandlers } from './world.js'
import { worldsHandlers } from './worlds.js'

export const controlHandlersFor = (context: ControlContext): Omit<ControlHandlers, 'stream' | 'pulse'> => ({
  ...clockHandlers(context),
  ...worldHandlers(context),
  ...worldsHandlers(context),
  ...keyHandlers(context),
  ...leadHandlers(context),
  ...explainHandlers(context),
  ...telephoneHandlers(context),
  ...scriptHandlers(context),
  ...faultHandlers(context),
  ...metricsHandlers(context),
  ...recordHandlers(context),
  ...snapshotHandlers(context),
  ...agendaHandlers(context),
  ...scheduleHandlers(context),
  ...figuresHandlers(context),
  ...leadViewHandlers(context),
  ...deliveryDetailHandlers(context),
  ...onBehalfHandlers(context),
})
