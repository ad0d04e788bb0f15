/** The introduction of each document and of its tags. */
import { idempotencyRetentionHours, requestBodyBytes } from '../limits.js'

export const apiDescription = `Add sales leads to campaigns, and read what became of them. An automated voice agent
calls each lead; a person takes over the interested ones.

- **Authentication**: HTTP Basic with key id and secret, or the secret as a Bearer token. A test key sees only test data.
- **Bodies** are JSON of at most ${requestBodyBytes} bytes. Unknown fields are refused.
- **Errors** have one shape. Branch on \`error.code\`, never on \`error.message\`.
- **Idempotency**: send an \`Idempotency-Key\` with every write. For ${idempotencyRetentionHours} hours the same key and
  request give the first answer again.
- **Limits**: on 429, wait \`Retry-After\` seconds, then send the same request again.
- **Lists** are newest first. Pass \`meta.next_cursor\` to get the next page.
- **Webhooks** are signed. Verify \`Service-Signature\`, and skip the ids of events already handled.`

export const controlDescription = `Control the simulator: its clock, its world, and what happens in the app and on the
telephone network. No key is needed on loopback. A simulator that listens on another address requires the control token.`

/** By document, because both have tags of the same name. */
export const tagDescriptions: Readonly<Record<'api' | 'control', Readonly<Record<string, string>>>> = {
  api: {
    calls: 'Calls, their recordings and transcripts, and starting a call.',
    dnc: 'The Do Not Call list of the organization.',
    leads: 'People to call.',
    exports: 'Files of leads and calls.',
    usage: 'Usage and cost of a month.',
    webhook_endpoints: 'Addresses that receive events, and the deliveries to them.',
    events: 'What happened to leads and calls, as a list and as webhooks.',
    campaigns: 'Campaigns: read, start, pause, add leads.',
  },
  control: {
    health: 'Whether the simulator is ready.',
    clock: 'The simulated clock.',
    world: 'The organizations, and the reset to the starting world.',
    organizations: 'Organizations.',
    keys: 'API keys, as an administrator manages them.',
    campaigns: 'Campaigns, as people set them in the app.',
    leads: 'Leads, as people load and move them in the app.',
    texts: 'Text messages that leads send.',
    calls: 'Inbound calls, and corrections of calls.',
    dnc: 'Do Not Call entries made in the app.',
    scripts: 'What the next calls to a number do.',
    faults: 'Faults for the next matching requests and webhooks.',
    metrics: 'Metrics for Prometheus.',
    records: 'Requests, notifications, deliveries, and the live stream.',
    snapshots: 'Saved states of the simulator.',
    worlds: 'Isolated worlds, each with its own data, keys, seed and clock.',
    agenda: 'What the simulator will do next.',
    pulse: 'What happens now, as a stream for pages.',
    schedule: 'The next appointments and the calling hours.',
    figures: 'Calls, minutes, cost and results by hour or day.',
    webhook_endpoints: 'Webhook endpoints and their deliveries, without a key.',
  },
}
