// A local DNS server with scripted answers.
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

export type DnsAnswer = { a?: string[]; aaaa?: string[]; cname?: string } | 'silence'

export type FakeDns = {
  // One answer per lookup of the name, then the last one repeats.
  answer(name: string, ...answers: DnsAnswer[]): void
  // For example "A rebind.test", in order of arrival.
  queries: string[]
  server: string
  close(): void
}

type Records = Exclude<DnsAnswer, 'silence'>

const TYPES = { a: 1, cname: 5, aaaa: 28 } as const

export async function startFakeDns(): Promise<FakeDns> {
  const scripts = new Map<string, DnsAnswer[]>()
  const queries: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type, questionEnd } = readQuestion(query)
    const kind = type === TYPES.aaaa ? 'aaaa' : 'a'
    const asked = `${kind.toUpperCase()} ${name}`
    const script = scripts.get(name)
    const times = queries.filter((earlier) => earlier === asked).length
    queries.push(asked)
    const answer = script?.[Math.min(times, script.length - 1)]
    if (answer === 'silence') return
    socket.send(writeReply(query.subarray(0, questionEnd), name, kind, answer), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')

  return {
    answer: (name, ...answers) => scripts.set(name, answers),
    queries,
    server: `127.0.0.1:${socket.address().port}`,
    close: () => socket.close(),
  }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), questionEnd: at + 5 }
}

function writeReply(question: Buffer, name: string, kind: 'a' | 'aaaa', answer: Records | undefined): Buffer {
  const owner = answer?.cname ?? name
  const records = (answer?.[kind] ?? []).map((address) =>
    writeRecord(owner, TYPES[kind], Buffer.from(ipaddr.parse(address).toByteArray())),
  )
  if (answer?.cname) records.unshift(writeRecord(name, TYPES.cname, writeName(answer.cname)))
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(answer ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, question.subarray(12), ...records])
}

// A time to live of 0 disables caching.
function writeRecord(owner: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([writeName(owner), fixed, data])
}

const writeName = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.alloc(1),
  ])
