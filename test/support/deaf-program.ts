/** Listens on a port and prints it. Suspended, it takes no connection: those that come wait until its short queue is full. */
import { createServer, type AddressInfo } from 'node:net'

const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
