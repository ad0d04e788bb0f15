/**
 * The contract of the simulator's control plane: actions in the app, the simulated phone network, and simulated time.
 */
import { getAgenda } from './control/agenda.js'
import { addDncInApp, correctCall, receiveCall, receiveText } from './control/calls.js'
import { createCampaign, updateCampaign } from './control/campaigns.js'
import { advanceClock, getClock, updateClock } from './control/clock.js'
import { addFault, removeFaults } from './control/faults.js'
import { getHealth } from './control/health.js'
import { explainLead } from './control/explain.js'
import { createKey, updateKey } from './control/keys.js'
import { loadLeads, putBackLead, takeOutLead, updateLeadInApp } from './control/leads.js'
import { getMetrics } from './control/metrics.js'
import { listAllDeliveries, listNotifications, listRequests, stream } from './control/records.js'
import { removeScript, setScript } from './control/scripts.js'
import { createSnapshot, deleteSnapshot, listSnapshots, restoreSnapshot } from './control/snapshots.js'
import { createOrganization, getWorld, reset, updateOrganization } from './control/world.js'

export const control = {
  getHealth,

  getClock,
  updateClock,
  advanceClock,

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
  removeFaults,

  listRequests,
  listNotifications,
  listAllDeliveries,
  getMetrics,
  stream,

  createSnapshot,
  listSnapshots,
  restoreSnapshot,
  deleteSnapshot,
  reset,

  getAgenda,
}

export type Control = typeof control
export type ControlName = keyof Control
