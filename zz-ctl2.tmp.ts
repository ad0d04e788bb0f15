import { startSimulator } from './simulator/index.js'
import { request } from 'undici'
const file = process.argv[2] ?? ':memory:'
const n = Number(process.argv[3] ?? 10000)
const s = await startSimulator({ now: '2026-10-01T15:00:00Z', paused: true, data: file, fresh: true })
const campaign = s.describe().campaigns[0]!.id
const leads = Array.from({length:n},(_, i)=>({ phone: '+1' + ['212','646','415','312','213'][i%5]! + (5200000+i) , name: 'Lead '+i, fields: {a:'b'} }))
async function c(method: any, path: string, body?: object) { const t=performance.now(); const r = await request(s.url+path,{method,headers: body?{'content-type':'application/json'}:{},body: body?JSON.stringify(body):null}); const text = await r.body.text(); console.log(method, path, r.statusCode, text.slice(0,160), (performance.now()-t).toFixed(0)+'ms'); return JSON.parse(text) }
await c('POST','/_sim/leads',{campaign_id:campaign,leads})
await c('POST','/_sim/clock/advance',{by:'20m'})
await c('POST','/_sim/snapshots',{name:'a/ü'})
await c('POST','/_sim/clock/advance',{by:'20m'})
await c('GET','/_sim/snapshots')
await c('POST','/_sim/snapshots/'+encodeURIComponent('a/ü')+'/restore')
await c('GET','/_sim/clock')
await c('POST','/_sim/reset',{})
await c('POST','/_sim/snapshots/'+encodeURIComponent('a/ü')+'/restore')
await c('DELETE','/_sim/snapshots/'+encodeURIComponent('a/ü'))
await c('GET','/_sim/snapshots')
await s.close()
