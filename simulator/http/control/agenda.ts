/** Serves the agenda of the control plane: what is going to happen, and which leads wait for what. */
import { toIso } from '../../kernel/instant.js'
import { appointmentInWords, waitingLeads } from '../../dialing/agenda-descriptions.js'
import { ok, type ControlHandlers } from '../handler.js'
import type { Plane } from './context.js'

export function agendaHandlers({ world, steps }: Plane): Pick<ControlHandlers, 'getAgenda'> {
  return {
    getAgenda: ({ query: { limit } }) =>
      steps.read(() =>
        ok({
          now: toIso(world.now),
          appointments: world.agenda.coming(limit).map((appointment) => appointmentInWords(world, appointment)),
          waiting: waitingLeads(world, limit),
        }),
      ),
  }
}
