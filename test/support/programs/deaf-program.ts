/** Listens on a port and prints it. While suspended, it accepts no connection, and new ones wait in its short queue. */
import { createServer, type AddressInfo } from 'node:net'

const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
