// @heliograph/client and servers that fail: which requests it repeats, when, and with which key.
import { describe, expect, test } from 'vitest'
import { createClient } from '../../clients/typescript/client.ts'
import { startServer } from '../support/fakes/local-servers.ts'
import { NOBODY, type Reply, serverThatReplies, TOKEN } from '../support/fakes/replying-server.ts'

const SENT = { status: 201, body: { id: 17 } }
const MESSAGE = { title: 'T', body: 'B' }
const problem = (status: number, code: string, members: object = {}): Reply => ({
  status,
  body: { status, code, detail: 'It is so.', ...members },
})
const UNAVAILABLE = problem(503, 'service.unavailable')

function clientOf(url: string) {
  const sleeps: number[] = []
  const sleep = async (ms: number) => void sleeps.push(ms)
  return { sleeps, client: createClient({ url, token: TOKEN, sleep }) }
}

async function clientThatGets(...replies: [Reply, ...Reply[]]) {
  const { received, environment } = await serverThatReplies(...replies)
  return { received, ...clientOf(environment.HELIOGRAPH_URL) }
}

describe('send', () => {
  test('is repeated after 503 and 429 with one Idempotency-Key, as late as Retry-After says', async () => {
    const limited = { ...problem(429, 'rate_limit.exceeded'), headers: { 'retry-after': '7' } }
    const proxy = { status: 503, headers: { 'retry-after': '3' }, body: '<html>' }
    const { client, received, sleeps } = await clientThatGets(limited, proxy, UNAVAILABLE, SENT)
    expect(await client.send(MESSAGE)).toEqual({ id: 17 })
    const keys = new Set(received.map(({ headers }) => headers['idempotency-key']))
    expect([received.length, keys.size]).toEqual([4, 1])
    expect([...keys][0]).toMatch(/^[0-9a-f]{32}$/)
    expect(sleeps.slice(0, 2)).toEqual([7000, 3000])
  })

  test('is repeated after a connection that broke before or within the response', async () => {
    const keys: unknown[] = []
    const { url } = await startServer((request, response) => {
      keys.push(request.headers['idempotency-key'])
      if (keys.length === 1) return request.socket.resetAndDestroy()
      response.writeHead(201, { 'content-length': '9' })
      if (keys.length > 2) return response.end('{"id":17}')
      response.write('{"id"')
      setImmediate(() => request.socket.destroy())
    })
    expect(await clientOf(url).client.send(MESSAGE)).toEqual({ id: 17 })
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
  })

  test('waits for an attempt that broke off and is still in progress, as long as the server may take to give it up', async () => {
    const inProgress = problem(409, 'idempotency.in_progress', { retry_after_ms: 1000 })
    const { client, received, sleeps } = await clientThatGets(UNAVAILABLE, ...Array(12).fill(inProgress), SENT)
    expect(await client.send(MESSAGE)).toEqual({ id: 17 })
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(sleeps.slice(1)).toEqual(Array(12).fill(1000))

    const stuck = await clientThatGets(inProgress)
    await expect(stuck.client.send(MESSAGE)).rejects.toMatchObject({ code: 'idempotency.in_progress' })
    expect(stuck.received).toHaveLength(21)
  })

  test('fails with the last error after four repeats', async () => {
    const { client, received } = await clientThatGets(UNAVAILABLE)
    await expect(client.send(MESSAGE)).rejects.toMatchObject({ status: 503, code: 'service.unavailable' })
    expect(received).toHaveLength(5)
    await expect(clientOf(NOBODY).client.send(MESSAGE)).rejects.toMatchObject({ status: 0, code: 'client.unreachable' })
  })

  test.each([
    ['a refusal', problem(422, 'request.validation_failed')],
    ['a used-up quota', problem(429, 'quota.exceeded', { retry_after_ms: 1000 })],
    ['a limit that waiting does not lift', problem(429, 'widget.limit_exceeded', { retry_after_ms: 1000 })],
    ['a Retry-After beyond a minute', problem(429, 'rate_limit.exceeded', { retry_after_ms: 61_000 })],
    ['a feature that is off', problem(503, 'email.not_enabled')],
    ['an error of the server', problem(500, 'internal.error')],
  ])('is not repeated after %s', async (_, reply) => {
    const { client, received } = await clientThatGets(reply, SENT)
    await expect(client.send(MESSAGE)).rejects.toMatchObject({ status: reply.status })
    expect(received).toHaveLength(1)
  })
})

test('a POST without an Idempotency-Key is repeated after 429 only: it was refused before anything was done', async () => {
  const unsafe = await clientThatGets(UNAVAILABLE, SENT)
  await expect(unsafe.client.request('POST', '/shares/join', { body: {} })).rejects.toMatchObject({ status: 503 })
  expect(unsafe.received).toHaveLength(1)
  await expect(clientOf(NOBODY).client.request('POST', '/shares/join')).rejects.toMatchObject({ status: 0 })

  const limited = await clientThatGets(problem(429, 'rate_limit.exceeded'), SENT)
  await limited.client.request('POST', '/shares/join', { body: {} })
  expect(limited.received).toHaveLength(2)
})

test('ask goes on while the server restarts behind a proxy and while too many waits are open', async () => {
  const pending = { status: 200, body: { notification_id: 17, status: 'pending' } }
  const full = problem(429, 'answer_wait.limit_exceeded', { retry_after_ms: 2000 })
  const answered = { status: 200, body: { notification_id: 17, status: 'answered', action_id: 'yes' } }
  const outage = Array<Reply>(8).fill({ status: 502, body: '<html>' })
  const { client, received, sleeps } = await clientThatGets(SENT, pending, ...outage, full, answered)
  const answer = await client.ask({ ...MESSAGE, actions: [{ id: 'yes', title: 'Yes' }] })
  expect(answer.action_id).toBe('yes')
  expect(received.slice(1).every(({ url }) => url === '/notifications/answers/17?wait=25')).toBe(true)
  expect(sleeps.at(-1)).toBe(2000)
})

test('a redirect is not followed: it could send the token to another server', async () => {
  const { client, received } = await clientThatGets({ status: 302, headers: { location: '/elsewhere' } })
  await expect(client.request('GET', '/auth/me', { retries: 0 })).rejects.toMatchObject({ status: 0 })
  expect(received).toHaveLength(1)
})
