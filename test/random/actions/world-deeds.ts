/** Actions on campaigns, time, and the simulator itself. */
import type { Agenda } from '../../../src/contract/control/agenda.js'
import type { Deeds } from './deeds.js'
import { expectSeen } from '../model/expectation.js'
import { must } from '../model/rule.js'
import { pick, type OwnKey } from '../run.js'

const change: Deeds<'change'>['change'] = async (run, { campaign: c, changes }) => {
  const campaign = pick([...run.mirror.campaigns.values()], c)
  if (!campaign) return
  const reply = await run.control('PATCH', `/_sim/campaigns/${campaign.id}`, changes)
  must(reply.status === 200, 'a campaign can be changed', { changes, body: reply.body })
  Object.assign(campaign, changes)
  await expectSeen(run)
}

const startOrPause: Deeds<'startOrPause'>['startOrPause'] = async (run, { key: k, campaign: c, to }) => {
  const key = pick(run.keys, k) as OwnKey
  const campaign = pick([...run.mirror.campaigns.values()], c)
  if (!campaign) return
  const theirs = campaign.organization !== key.organization
  const outside = theirs ? 'not_found' : key.covers.has(campaign.id) ? null : 'permission_denied'
  const code = outside ?? (campaign.status === 'completed' ? 'campaign_closed' : null)
  const reply = await run.api(key, 'POST', `/campaigns/${campaign.id}/${to}`)
  must(
    (reply.status === 200 ? null : reply.error.code) === code,
    'a campaign starts and pauses until it is completed',
    {
      code,
      body: reply.body,
    },
  )
  if (code === null) campaign.status = to === 'start' ? 'running' : 'paused'
  await expectSeen(run)
}

const pass: Deeds<'pass'>['pass'] = async (run, { seconds }) => {
  await run.pass(run.now + seconds * 1000)
  await expectSeen(run)
}

const passToNext: Deeds<'passToNext'>['passToNext'] = async (run, { ms }) => {
  const { appointments } = await run.stage.simulation.control<Agenda>('GET', '/_sim/agenda?limit=1')
  const next = appointments[0]
  if (!next) return
  await run.pass(Math.max(run.now, Date.parse(next.at) + ms))
  await expectSeen(run)
}

const restart: Deeds<'restart'>['restart'] = async (run) => {
  if (run.stage.inFile) await run.stage.restart()
}

const crash: Deeds<'crash'>['crash'] = async (run) => {
  if (run.stage.inFile) await run.stage.crash()
}

const save: Deeds<'save'>['save'] = async (run) => {
  await run.control('POST', '/_sim/snapshots', { name: 'kept' })
  run.keep()
}

const restore: Deeds<'restore'>['restore'] = async (run) => {
  if (!run.kept) return
  await run.control('POST', '/_sim/snapshots/kept/restore')
  run.goBack()
  await expectSeen(run)
}

export const worldDeeds: Deeds<
  'change' | 'startOrPause' | 'pass' | 'passToNext' | 'restart' | 'crash' | 'save' | 'restore'
> = {
  change,
  startOrPause,
  pass,
  passToNext,
  restart,
  crash,
  save,
  restore,
}
