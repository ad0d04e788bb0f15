/** Columns that `--columns` of a command accepts. */
import type { ResourceColumns } from '../../output/columns/resources.js'

/** Loaded late: most words that are completed are not columns. */
async function loadColumns() {
  const [{ resourceColumns }, { resultColumns }, { controlColumns }, plan] = await Promise.all([
    import('../../output/columns/resources.js'),
    import('../../output/columns/results.js'),
    import('../../output/columns/control.js'),
    import('../../output/columns/plan.js'),
  ])
  return { api: resourceColumns, result: resultColumns, control: controlColumns, plan }
}

/** All columns of a command that prints one of several things, depending on its flags. */
const anyOf = (first: ResourceColumns, ...others: readonly ResourceColumns[]): ResourceColumns => ({
  ...first,
  columns: [...new Set([first, ...others].flatMap(({ columns }) => columns))],
})

/** Returns the column names of a command such as `leads list`; none if it prints no columns. */
export async function columnsOf(command: string): Promise<readonly string[]> {
  const columns = await loadColumns()
  const kinds: Kinds = { ...kindsOfService(columns), ...kindsOfSimulator(columns) }
  const words = command.split(' ')
  const known = words.map((_, at) => words.slice(0, words.length - at).join(' ')).find((one) => one in kinds)
  return known === undefined ? [] : (kinds[known]?.columns ?? [])
}

/** By command, or by group for all commands in it that are not listed. */
type Kinds = Readonly<Record<string, ResourceColumns>>
type Columns = Awaited<ReturnType<typeof loadColumns>>

function kindsOfService({ api, result, control, plan }: Columns): Kinds {
  return {
    // Rows in tables, the whole plan in JSON.
    plan: anyOf(plan.planRowColumns, plan.planColumns),
    'leads add': api.acceptedLead,
    'leads opt-out': api.optedOutLead,
    'leads watch': api.watchedLead,
    'leads import': result.leadImport,
    'leads explain': control.explainedRule,
    leads: api.lead,
    'calls start': api.acceptedCall,
    // Lines in tables, the whole transcript in JSON.
    'calls transcript': { ...api.transcriptLine, columns: ['call_id', 'lines', ...api.transcriptLine.columns] },
    'calls recording': api.recording,
    calls: api.call,
    'dnc check': api.dncCheck,
    'dnc import': result.dncImport,
    dnc: api.dncEntry,
    campaigns: api.campaign,
    'dnc list': anyOf(api.dncEntry, result.dncImports),
    'dnc remove': anyOf(api.dncEntry, result.dncUndo),
    'exports create': api.newExport,
    exports: api.exported,
    usage: anyOf(api.usage, ...Object.values(api.usageOf)),
    proxy: result.exchange,
    'webhooks create': api.newWebhookEndpoint,
    'webhooks roll-secret': api.newWebhookEndpoint,
    'webhooks resume': api.resumedWebhookEndpoint,
    'webhooks deliveries': api.delivery,
    'webhooks resend': api.delivery,
    'webhooks test': api.sampleDelivery,
    'webhooks trigger': result.sentWebhook,
    'webhooks listen': result.forwardedEvent,
    webhooks: api.webhookEndpoint,
    'events resend': result.sentWebhook,
    events: api.event,
    profiles: result.profile,
    doctor: result.finding,
    conform: result.conformanceCheck,
    whoami: result.setting,
    open: control.openedConsole,
  }
}

function kindsOfSimulator({ api, control }: Columns): Kinds {
  return {
    'simulate advance': api.clock,
    'simulate clock': api.clock,
    'simulate reset': api.clock,
    'simulate agenda': anyOf(control.appointment, control.waitingLead),
    'simulate campaign': api.campaign,
    'simulate correct': api.call,
    'simulate inbound-call': api.call,
    'simulate deliveries': api.simulatedDelivery,
    'simulate dnc': control.dncBatch,
    'simulate fault': anyOf(control.waitingFault, control.removed),
    'simulate health': control.health,
    'simulate key': control.key,
    'simulate leads': api.lead,
    'simulate metrics': control.metric,
    'simulate notifications': control.notification,
    'simulate organization': control.organization,
    'simulate requests': control.request,
    'simulate script': anyOf(control.script, control.removed),
    'simulate snapshot': control.snapshot,
    'simulate stream': control.happening,
    'simulate text': control.text,
    'simulate world': control.organization,
    'simulate worlds create': control.isolatedWorld,
    'simulate worlds delete': control.deletedWorld,
    'simulate worlds diff': control.difference,
    'simulate worlds list': control.listedWorld,
  }
}
