import { Engine } from './simulator/engine.js'
import { Clock } from './simulator/kernel/clock.js'
import { machine } from './simulator/kernel/machine.js'
import { instant, after, hours } from './simulator/kernel/instant.js'
import { Store } from './simulator/world/store.js'
import { World } from './simulator/world/world.js'
import { found } from './simulator/service/start.js'
import { placeCall } from './simulator/outside/script.js'
import { conversation } from './simulator/outside/conversation.js'
import { newLead } from './simulator/service/leads.js'
import { place } from './simulator/service/lead-status.js'
import { zoneKey } from './src/phone/zones.js'
import { rmSync, statSync } from 'node:fs'
const [path = ':memory:', count = '20000', lines = '500'] = process.argv.slice(2)
if (path !== ':memory:') for (const s of ['', '-wal']) rmSync(path + s, { force: true })
const store = Store.open(path)
const world = new World(store, { place: placeCall, said: conversation })
const now = instant(Date.parse('2026-10-01T06:00:00Z'))
store.transaction(() => found(world, { seed: 1, now, machineNow: now, speed: 1, paused: true } as any))
world.refresh()
const clock = new Clock(machine, world.clockRecord()!)
const engine = new Engine({ world, clock, machine, onFailure: console.error, perform: async () => () => {} })
engine.start()
const organization = world.organization(2)
const campaign = engine.step(() => world.campaigns.change(organization.campaign(1), { lines: Number(lines) }))
const areas = ['212', '312', '415', '305', '404', '617', '713', '206', '303', '602', '214', '503', '702', '216', '410']
let b = performance.now()
const N = Number(count)
for (let i = 0; i < N; ) {
  engine.step(() => {
    const c = world.campaigns.get(1)
    const organization = world.organization(2)
    for (let k = 0; k < 1000 && i < N; k++, i++) {
      const phone = `+1${areas[i % areas.length]}${String(2100000 + Math.floor(i / areas.length) * 1 + 0).replace(/^(\d{3})0100/, '$10200')}`
      const lead = organization.leads.add({ ...newLead, campaign: 1, phone, zone: zoneKey(phone), name: `Lead ${i}`, lead_source: 'app', source: 'app', key: null, created: world.now, updated: world.now, accepted: world.now, call_now: 0, line_at: world.now, arrived: world.now } as any)
      place(organization, c, lead)
    }
  })
}
console.log('load', Math.round(N / (performance.now() - b) * 1000), 'leads/s')
b = performance.now()
let last = 0
for (let h = 0; h < 24; h++) {
  const t = performance.now()
  await engine.advance((n) => after(n, hours(1)))
  const n = store.one<{ n: number }>('SELECT count(*) n FROM calls')!.n
  const ms = performance.now() - t
  if (process.env.V && n > last) console.log('hour', h, n - last, 'calls', Math.round((n - last) / ms * 1000), '/s')
  last = n
}
const ms = performance.now() - b
const events = store.one<{ n: number }>('SELECT count(*) n FROM events')!.n
console.log(path, N, 'leads', lines, 'lines:', last, 'calls', events, 'events in', Math.round(ms), 'ms:', Math.round(last / ms * 1000), 'calls/s', 'rss', Math.round(process.memoryUsage().rss / 1e6), 'MB', path === ':memory:' ? '' : Math.round(statSync(path).size / 1e6) + ' MB file')
await engine.stop(); store.close()
