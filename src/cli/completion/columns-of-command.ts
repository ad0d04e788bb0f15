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

/** Returns the column names of a command such as `leads list`; none if it prints no columns. */
export async function columnsOf(command: string): Promise<readonly string[]> {
  const { api, result, control, plan } = await loadColumns()
  const kinds: Readonly<Record<string, ResourceColumns>> = {
    // Rows in tables, the whole plan in JSON.
    plan: {
      ...plan.planRowColumns,
      columns: [...new Set([...plan.planRowColumns.columns, ...plan.planColumns.columns])],
    },
    'leads add': api.acceptedLead,
    'leads opt-out': api.optedOutLead,
    'leads watch': api.watchedLead,
    'leads import': result.leadImport,
    'leads explain': control.explainedRule,
    leads: api.lead,
    'calls start': api.acceptedCall,
    'calls transcript': api.transcriptLine,
    'calls recording': api.recording,
    calls: api.call,
    'dnc check': api.dncCheck,
    'dnc import': result.dncImport,
    dnc: api.dncEntry,
    campaigns: api.campaign,
    exports: api.exported,
    usage: api.usage,
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
    'simulate advance': api.clock,
    'simulate clock': api.clock,
    'simulate reset': api.clock,
    'simulate agenda': control.appointment,
    'simulate campaign': api.campaign,
    'simulate correct': api.call,
    'simulate inbound-call': api.call,
    'simulate deliveries': api.simulatedDelivery,
    'simulate key': control.key,
    'simulate leads': api.lead,
    'simulate metrics': control.metric,
    'simulate notifications': control.notification,
    'simulate organization': control.organization,
    'simulate requests': control.request,
    'simulate snapshot': control.snapshot,
    'simulate stream': control.happening,
    'simulate world': control.organization,
    'simulate worlds create': control.isolatedWorld,
    'simulate worlds delete': control.deletedWorld,
    'simulate worlds diff': control.difference,
    'simulate worlds list': control.listedWorld,
  }
  const words = command.split(' ')
  const known = words.map((_, at) => words.slice(0, words.length - at).join(' ')).find((one) => one in kinds)
  return known === undefined ? [] : (kinds[known]?.columns ?? [])
}
