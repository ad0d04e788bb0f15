import { startSimulator } from './simulator/index.js'
import { request } from 'undici'
const file = process.argv[2] ?? ':memory:'
const n = Number(process.argv[3] ?? 100000)
const s = await startSimulator({ now: '2026-10-01T15:00:00Z', paused: true, data: file, fresh: true })
const campaign = s.describe().campaigns[0]!.id
const leads = Array.from({length:n},(_, i)=>({ phone: '+1' + (2125000000 + (i%9000000) + 200_0000).toString().replace(/^(\d{3})/, ['212','646','415','312','213'][i%5]!) , name: 'Lead '+i, fields: {a:'b'} }))
const body = JSON.stringify({ campaign_id: campaign, leads })
console.log((body.length/1e6).toFixed(1),'MB')
const t = performance.now()
const r = await request(s.url+'/_sim/leads',{method:'POST',headers:{'content-type':'application/json'},body})
const text = await r.body.text()
console.log(r.statusCode, text.slice(0,300), (performance.now()-t).toFixed(0),'ms', (process.memoryUsage().rss/1e6).toFixed(0),'MB rss')
if (process.argv[4]) { const t2=performance.now(); await s.advance('1h'); console.log('1h', (performance.now()-t2).toFixed(0)) }
await s.close()
