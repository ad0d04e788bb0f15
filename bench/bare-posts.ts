/**
 * Lower bound for sending webhooks: signs and posts each line of a file on a new connection, as many at a time as the
 * simulator does. Prints the milliseconds it took.
 */
import { createReadStream } from 'node:fs'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { sign } from '../src/webhooks/sign.js'

const [url = '', file = '', atOnce = '5'] = process.argv.slice(2)
const secrets = ['whsec_a_secret_of_the_benchmark']

function post(body: Buffer): Promise<void> {
  const signature = sign({ body, secrets, at: Math.floor(Date.now() / 1_000) })
  const headers = { 'content-type': 'application/json', 'content-length': body.length, 'service-signature': signature }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent: false, headers }, (answer) => {
      answer.resume().once('end', resolve)
    })
    sent.once('error', reject).end(body)
  })
}

const bodies: Buffer[] = []
for await (const line of createInterface({ input: createReadStream(file) })) bodies.push(Buffer.from(line))

async function postAll(waiting: Buffer[]): Promise<void> {
  for (let body = waiting.pop(); body; body = waiting.pop()) await post(body)
}

await postAll(bodies.slice(0, 50))
const start = performance.now()
const waiting = [...bodies]
await Promise.all(Array.from({ length: Number(atOnce) }, () => postAll(waiting)))
process.stdout.write(`${performance.now() - start}\n`)
