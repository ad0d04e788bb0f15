/** Checks of exports (rules X1 and X2). */
import type { Export, ExportCreated } from '../../contract/exports.js'
import { exportRetentionHours } from '../../contract/limits.js'
import { sendOnce } from '../../client/exchange.js'
import { withExtras, type Check } from '../check.js'
import { accepted, cannotAsk, contains, equals, expects, refused } from '../expect.js'
import type { Reply } from '../requests/reply.js'
import type { Session } from '../session.js'

const anExport = (session: Session): Promise<{ made: ExportCreated; reply: Reply }> =>
  session.keep('an export', async () => {
    if (!(await session.coversEveryCampaign())) cannotAsk('the key does not cover every campaign')
    const reply = await session.post('/exports', { exportType: 'leads' })
    return { made: accepted<ExportCreated>(reply), reply }
  })

/** Reads a link without the key. */
async function download(session: Session, url: URL) {
  const { stop } = session.options.requester.options
  return sendOnce({ method: 'GET', url, headers: {}, timeoutMs: 30_000, signal: stop.signal })
}

/** The link with one value of its query changed. */
function changedLinks(link: string): URL[] {
  const url = new URL(link)
  return [...url.searchParams.keys()].map((name) => {
    const changed = new URL(url)
    const value = url.searchParams.get(name) ?? ''
    const last = value.at(-1) ?? ''
    changed.searchParams.set(name, value.slice(0, -1) + (last === '1' ? '2' : '1'))
    return changed
  })
}

export const exportChecks: readonly Check[] = withExtras(
  [
    {
      rule: 'X1',
      group: 'exports',
      title: 'An export is ready and lasts 24 hours',
      needs: ['leads:read', 'calls:read'],
      run: async (session) => {
        const { made, reply } = await anExport(session)
        const one: Export = made.export
        contains(reply, one, { exportType: 'leads', status: 'ready', livemode: session.isLive })
        const lasts = Date.parse(one.expiresAt) - Date.parse(one.createdAt)
        equals(reply, 'hours from createdAt to expiresAt', lasts / 3_600_000, exportRetentionHours)
      },
    },
    {
      rule: 'X1',
      group: 'exports',
      title: 'The link gives a CSV file with a header row, without a key',
      needs: ['leads:read', 'calls:read'],
      run: async (session) => {
        const { made, reply } = await anExport(session)
        const file = await download(session, new URL(made.downloadUrl))
        equals(reply, 'status of the file', file.status, 200)
        expects(reply, (file.headers['content-type'] ?? '').startsWith('text/csv'), 'a file of type text/csv')
        const [header = '', ...rows] = file.text.trimEnd().split(/\r?\n/)
        expects(reply, header.split(',').length > 1 && !/\d/.test(header), 'a header row')
        expects(reply, rows.length >= made.export.rowCount, `${made.export.rowCount} rows`)
      },
    },
    {
      rule: 'X1',
      group: 'exports',
      title: 'A link that was changed does not work',
      needs: ['leads:read', 'calls:read'],
      run: async (session) => {
        const { made, reply } = await anExport(session)
        const changed = changedLinks(made.downloadUrl)
        expects(reply, changed.length > 0, 'a signed downloadUrl')
        for (const url of changed) {
          const { status } = await download(session, url)
          expects(reply, status >= 400, 'a refusal of a changed downloadUrl')
        }
      },
    },
    {
      rule: 'X1',
      group: 'exports',
      title: 'An export has a known type, known filters and dates',
      needs: ['leads:read', 'calls:read'],
      run: async (session) => {
        if (!(await session.coversEveryCampaign())) cannotAsk('the key does not cover every campaign')
        const send = (body: object) => session.post('/exports', body)
        refused(await send({ exportType: 'svc' }), 'invalid_request', { param: 'exportType' })
        const filters = { startDate: '2026-13-01' }
        refused(await send({ exportType: 'leads', filters }), 'invalid_request', { param: 'filters.startDate' })
        const elsewhere = { campaignId: session.madeUp.uuid() }
        refused(await send({ exportType: 'leads', filters: elsewhere }), 'not_found')
      },
    },
    {
      rule: 'X2',
      group: 'exports',
      title: 'A test key cannot list exports',
      needs: ['leads:read', 'calls:read'],
      run: async (session) => {
        if (session.isLive) cannotAsk('the key is live')
        refused(await session.get('/exports'), 'permission_denied')
      },
    },
  ],
  'An export has a known type',
)
