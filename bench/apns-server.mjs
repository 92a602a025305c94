// A minimal APNs on node:http2, in a separate process: every push is accepted, and counted or recorded.
//   node bench/apns-server.mjs KEY-FILE CERTIFICATE-FILE
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { nowMs } from './measure.mjs'

const [keyFile, certificateFile] = process.argv.slice(2)
const server = createSecureServer({
  key: readFileSync(keyFile),
  cert: readFileSync(certificateFile),
  settings: { maxConcurrentStreams: 1000 },
})
let connections = 0
let isRecording = false
let arrivals = []

server.on('session', () => {
  connections += 1
})
server.on('stream', (stream, headers) => {
  stream.on('error', () => {})
  let payload = ''
  if (isRecording) stream.setEncoding('utf8').on('data', (chunk) => (payload += chunk))
  else stream.resume()
  stream.on('end', () => {
    if (isRecording) arrivals.push({ atMs: nowMs(), payload })
    stream.respond({ ':status': 200, 'apns-id': headers['apns-id'] }, { endStream: true })
  })
})

const ANSWERS = {
  connections: () => connections,
  record() {
    isRecording = true
    arrivals = []
  },
  received: () => arrivals.length,
  // Payloads are parsed only here, so that parsing delays no push.
  arrivals() {
    isRecording = false
    return arrivals.map(({ atMs, payload }) => ({ atMs, title: JSON.parse(payload).aps.alert.title }))
  },
}
process.on('message', (question) => process.send({ answer: ANSWERS[question]() }))
process.on('disconnect', () => process.exit())

server.listen(0, '127.0.0.1', () => console.log(`listening on https://127.0.0.1:${server.address().port}`))
