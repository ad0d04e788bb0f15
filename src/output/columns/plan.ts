/** Columns of a plan: of its table, and of the whole document. */
import type { ResourceColumns } from './resources.js'

/** One number of lines. */
export const planRowColumns: ResourceColumns = {
  name: 'numbers of lines',
  columns: [
    'lines',
    'done_by',
    'makes_deadline',
    'done_by_deadline',
    'reached',
    'interested',
    'calls',
    'minutes',
    'cost_usd',
    'busy_hours',
    'binds',
    'binds_certain',
    'cap_reached',
  ],
  table: ['lines', 'done_by', 'makes_deadline', 'binds', 'cost_usd', 'calls', 'minutes', 'reached', 'interested'],
  dates: ['done_by'],
}

/** The whole plan, as JSON has it. */
export const planColumns: ResourceColumns = {
  name: 'plans',
  columns: [
    'lines',
    'deadline',
    'table',
    'leads',
    'unreachable',
    'current_lines',
    'relief',
    'arithmetic_lines',
    'assumptions',
    'calibration',
    'chart',
    'complete',
  ],
  table: ['lines', 'deadline', 'table', 'unreachable', 'assumptions'],
}
