/** A receiver in a separate process that reads and verifies each body, with and without an explanation. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verify } from '../../../src/webhooks/sign.js'

const secrets = ['whsec_0123456789abcdef']

const server = createServer((request, response) => {
  void buffer(request).then((body) => {
    const header = request.headers['service-signature']?.toString()
    const given = { body, header, secrets, now: Date.now() / 1000 }
    const verdicts = [verify(given), verify({ ...given, explain: true })]
    response.writeHead(verdicts.every(({ ok }) => !ok) ? 400 : 204).end()
  })
}).listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
