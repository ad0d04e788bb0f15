/**
 * The contract of the simulator's control plane: actions in the app, the simulated phone network, and simulated time.
 */
import { getAgenda } from './control/agenda.js'
import { addDncInApp, correctCall, receiveCall, receiveText } from './control/calls.js'
import { createCampaign, updateCampaign } from './control/campaigns.js'
import { advanceClock, getClock, stopAdvance, updateClock } from './control/clock.js'
import { addFault, listFaults, removeFault, removeFaults } from './control/faults.js'
import { getFigures } from './control/figures.js'
import { getHealth } from './control/health.js'
import { explainLead } from './control/explain.js'
import { createKey, updateKey } from './control/keys.js'
import { getLeadStory, listLeadsInApp } from './control/lead-views.js'
import { loadLeads, putBackLead, takeOutLead, updateLeadInApp } from './control/leads.js'
import { getMetrics } from './control/metrics.js'
import { onBehalfEndpoints } from './control/on-behalf.js'
import { pulse } from './control/pulse.js'
import { getDelivery, listAllDeliveries, listNotifications, listRequests, stream } from './control/records.js'
import { getSchedule } from './control/schedule.js'
import { removeScript, setScript } from './control/scripts.js'
import { createSnapshot, deleteSnapshot, listSnapshots, restoreSnapshot } from './control/snapshots.js'
import { createWorld, deleteWorld, diffWorlds, listWorlds } from './control/worlds.js'
import { createOrganization, getWorld, reset, updateOrganization } from './control/world.js'

export const control = {
  getHealth,

  getClock,
  updateClock,
  advanceClock,
  stopAdvance,

  getWorld,
  createOrganization,
  updateOrganization,
  createKey,
  updateKey,
  createCampaign,
  updateCampaign,

  loadLeads,
  takeOutLead,
  putBackLead,
  updateLeadInApp,
  explainLead,
  receiveText,
  receiveCall,
  addDncInApp,
  correctCall,

  setScript,
  removeScript,
  addFault,
  listFaults,
  removeFault,
  removeFaults,

  listRequests,
  listNotifications,
  listAllDeliveries,
  getDelivery,
  getMetrics,
  stream,

  createSnapshot,
  listSnapshots,
  restoreSnapshot,
  deleteSnapshot,
  reset,

  createWorld,
  listWorlds,
  deleteWorld,
  diffWorlds,

  getAgenda,

  pulse,
  getSchedule,
  getFigures,
  listLeadsInApp,
  getLeadStory,
  ...onBehalfEndpoints,
}

export type Control = typeof control
export type ControlName = keyof Control
