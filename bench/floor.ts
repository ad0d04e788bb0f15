/**
 * A minimal server for comparison: bare fastify that makes one durable insert of the same size, or returns the same
 * bytes.
 */
import Fastify from 'fastify'
import { Database } from '../simulator/storage/driver.js'

const [file = ':memory:', reply = '{}'] = process.argv.slice(2)
const database = new Database(file)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('CREATE TABLE rows (n INTEGER PRIMARY KEY, body TEXT NOT NULL)')
const insert = database.prepare('INSERT INTO rows (body) VALUES (?)')

const server = Fastify()
server.post('/rows', (request, response) => {
  const { lastInsertRowid } = insert.run(JSON.stringify(request.body))
  return response.status(201).send({ data: { n: Number(lastInsertRowid) } })
})
server.get('/row', (_request, response) => response.type('application/json').send(reply))
process.stdout.write(`${await server.listen({ port: 0, host: '127.0.0.1' })}\n`)
