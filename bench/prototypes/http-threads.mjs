// What HTTP threads in front of one thread with the database would leave to that thread (docs/decisions/0087-feeds-last.md): a
// thread reads and checks the request, and passes it by a message; the other thread answers it at once. Prints the CPU time that
// each of them takes for a request. Needs Node.js 24.
//   node bench/prototypes/http-threads.mjs
import { Worker } from 'node:worker_threads'
import autocannon from 'autocannon'
import { MESSAGE } from '../examples.mjs'

const SECONDS = 5
const ROUNDS = 3
const ANSWER = JSON.stringify({ id: 4711, ...MESSAGE, pushed: true, delivery: 'all' })

const CODE = `
  const { parentPort } = require('node:worker_threads')
  const app = require('fastify')()
  const waiting = new Map()
  let last = 0
  parentPort.on('message', (message) => {
    if (message === 'cpu') return parentPort.postMessage({ cpu: process.threadCpuUsage() })
    const reply = waiting.get(message.id)
    waiting.delete(message.id)
    reply.code(message.status).type('application/json').send(message.body)
  })
  const pass = (request, reply) => {
    const id = ++last
    waiting.set(id, reply)
    const { authorization } = request.headers
    parentPort.postMessage({ id, method: request.method, path: request.url, authorization, body: request.body })
  }
  app.post('/notifications', (request, reply) => { pass(request, reply); return reply })
  app.listen({ host: '127.0.0.1', port: 0 }).then((url) => parentPort.postMessage({ url }))
`

const thread = new Worker(CODE, { eval: true })
const next = () => new Promise((resolve) => thread.once('message', resolve))
const { url } = await next()
let tellCpu = () => {}
let served = 0
thread.on('message', ({ id, cpu }) => {
  if (cpu) return tellCpu(cpu)
  served += 1
  thread.postMessage({ id, status: 201, body: ANSWER })
})

const threadCpu = () =>
  new Promise((resolve) => {
    tellCpu = resolve
    thread.postMessage('cpu')
  })

// The client has a process of its own, because its time must not count.
const load = () =>
  autocannon({
    url: `${url}/notifications`,
    method: 'POST',
    headers: { authorization: 'Bearer hlk_0123456789abcdef', 'content-type': 'application/json' },
    body: JSON.stringify(MESSAGE),
    connections: 48,
    duration: SECONDS,
    workers: 1,
  })

const sum = ({ user, system }) => user + system
for (let round = 0; round <= ROUNDS; round++) {
  served = 0
  const before = { core: sum(process.threadCpuUsage()), http: sum(await threadCpu()) }
  await load()
  const core = Math.round((sum(process.threadCpuUsage()) - before.core) / served)
  const http = Math.round((sum(await threadCpu()) - before.http) / served)
  if (round > 0)
    console.log(`${served} requests; the thread with the database: ${core} µs each; the HTTP thread: ${http} µs`)
}
await thread.terminate()
