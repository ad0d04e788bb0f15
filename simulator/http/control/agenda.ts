/** Serves the agenda: upcoming tasks, and what each waiting lead waits for. */
import { toIso } from '../../kernel/instant.js'
import { describeAppointment, listWaitingLeads } from '../../dialing/agenda-descriptions.js'
import { replyOk, type ControlHandlers } from '../handler.js'
import type { ControlContext } from './context.js'

export function agendaHandlers({ world, steps }: ControlContext): Pick<ControlHandlers, 'getAgenda'> {
  return {
    getAgenda: ({ query: { limit } }) =>
      steps.read(() =>
        replyOk({
          now: toIso(world.now),
          appointments: world.agenda.upcoming(limit).map((appointment) => describeAppointment(world, appointment)),
          waiting: listWaitingLeads(world, limit),
        }),
      ),
  }
}
