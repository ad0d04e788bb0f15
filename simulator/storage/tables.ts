/** The tables of the schema, as objects. Statements name a table by its object, so the store knows what they touch. */

export class Table {
  constructor(readonly name: string) {}
}

const table = (name: string): Table => new Table(name)

export const tables = {
  agenda: table('agenda'),
  api_starts: table('api_starts'),
  attempts: table('attempts'),
  audit: table('audit'),
  calls: table('calls'),
  campaigns: table('campaigns'),
  clock: table('clock'),
  deliveries: table('deliveries'),
  dnc: table('dnc'),
  endpoints: table('endpoints'),
  events: table('events'),
  exports: table('exports'),
  hours_groups: table('hours_groups'),
  idempotency: table('idempotency'),
  keys: table('keys'),
  lead_details: table('lead_details'),
  leads: table('leads'),
  members: table('members'),
  notifications: table('notifications'),
  numbers: table('numbers'),
  organizations: table('organizations'),
  queues: table('queues'),
  scripts: table('scripts'),
  settings: table('settings'),
  usage: table('usage'),
}
