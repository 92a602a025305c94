// A small program with the options and routes of `ntfy serve` that the benchmark uses. Like ntfy it keeps messages in memory without
// `--cache-file`, and with `--cache-batch-size` it answers before it writes, so that both lose answered messages when it is killed.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    config: { type: 'string' },
    'listen-http': { type: 'string', default: '127.0.0.1:80' },
    'visitor-request-limit-exempt-hosts': { type: 'string' },
    'cache-file': { type: 'string' },
    'cache-batch-size': { type: 'string', default: '1' },
    'cache-batch-timeout': { type: 'string' },
  },
})
const file = values['cache-file']
const batchSize = Number(values['cache-batch-size'])
const stored = file && existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
let unwritten = []

const server = createServer(async (request, reply) => {
  const { pathname } = new URL(request.url, 'http://127.0.0.1')
  if (request.method === 'POST') return reply.end(store(JSON.stringify(JSON.parse(await text(request)))))
  reply.end(pathname === '/v1/health' ? '{"healthy":true}' : `${stored.join('\n')}\n`)
})
const [host, port] = values['listen-http'].split(':')
server.listen(Number(port), host)

function store(line) {
  stored.push(line)
  unwritten.push(`${line}\n`)
  if (file && unwritten.length >= batchSize) {
    appendFileSync(file, unwritten.join(''))
    unwritten = []
  }
  return line
}
