// Spans of requests, jobs and pushes: how they are connected, and that they hold ids and no content.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { SpanKind } from '@opentelemetry/api'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestApp, TestUser } from '../../support/app.ts'
import { addPhone } from '../../support/devices/phone.ts'
import { eventually } from '../../support/eventually.ts'
import { type RecordedSpan, type Recording, recordSpans } from '../../support/fakes/open-telemetry.ts'
import { type PushServices, startPushServices } from '../../support/fakes/push-services.ts'
import { scrape } from '../../support/metrics.ts'

let recording: Recording
let services: PushServices
let app: TestApp
let user: TestUser
beforeAll(async () => {
  recording = recordSpans()
  services = await startPushServices()
  app = await services.startNode({ HELIOGRAPH_METRICS_PORT: '0' }, undefined, { tracing: recording.tracing })
})
afterAll(async () => {
  await services.close()
  await app.stop()
  recording.stop()
})
beforeEach(async () => {
  user = await app.addUser()
  recording.ended.length = 0
})

const named = (name: string) =>
  eventually(() => {
    const span = recording.ended.find((one) => one.name === name)
    if (!span) throw new Error(`no span ${name} among ${recording.ended.map((one) => one.name)}`)
    return span as RecordedSpan
  })

// The body arrives after the headers, in callbacks of the connection, which belong to no request.
async function sendInTwoParts(headers: Record<string, string>): Promise<number | undefined> {
  const sending = request(`${app.url}/notifications`, {
    method: 'POST',
    headers: {
      ...headers,
      authorization: `Bearer ${user.token}`,
      'content-type': 'application/json',
      expect: '100-continue',
    },
  })
  sending.flushHeaders()
  await once(sending, 'continue')
  sending.end(JSON.stringify({ title: 'Secret title', body: 'Secret body' }))
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

test('a send continues the trace of its sender; its job and its push are children', async () => {
  const device = await addPhone(services, { app, user })
  const traceId = 'a'.repeat(32)
  const parentId = 'b'.repeat(16)
  const status = await sendInTwoParts({ traceparent: `00-${traceId}-${parentId}-01` })
  expect(status).toBe(201)

  const sent = await named('POST /notifications')
  expect(sent).toMatchObject({ traceId, parentId, kind: SpanKind.SERVER, hasFailed: false })
  expect(sent.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/notifications',
    'http.response.status_code': 201,
    'heliograph.account': user.userId,
  })
  const job = await named('job push-notification')
  expect(job).toMatchObject({ traceId, parentId: sent.spanId })
  expect(job.attributes).toMatchObject({ 'heliograph.job.kind': 'push-notification', 'heliograph.job.attempt': 1 })
  const push = await named('push apns')
  expect(push).toMatchObject({ traceId, parentId: job.spanId, kind: SpanKind.CLIENT })
  expect(push.attributes).toMatchObject({ 'heliograph.channel': 'apns', 'heliograph.result': 'accepted' })

  const exported = JSON.stringify(recording.ended)
  for (const secret of ['Secret', user.token, device.token]) expect(exported).not.toContain(secret)
})

test('a request without traceparent begins a trace; the path is not exported', async () => {
  await app.get('/widgets/no-such-widget', user.token)
  const read = await named('GET /widgets/:slug')
  expect(read).toMatchObject({ parentId: undefined, hasFailed: false })
  expect(read.attributes).toMatchObject({
    'http.response.status_code': 404,
    'heliograph.problem': 'widget.not_found',
  })
  expect(JSON.stringify(read)).not.toContain('no-such-widget')
})

test('a job that the worker claims has a trace of its own, although the commit of a request wakes the worker', async () => {
  await addPhone(services, { app, user })
  app.app.worker.start()
  const content = { template: 'gauge', value: 1, min_value: 0, max_value: 5 }
  await app.post('/widgets', { slug: 'load', name: 'Load', content }, user.token)
  await app.patch('/widgets/load', { content: { value: 2 } }, user.token)
  const job = await named('job reload-widget')
  await app.app.worker.stop()
  expect(job.parentId).toBeUndefined()
})

test('requests of a screen link are traced and counted by their pattern, without its token and the slugs behind it', async () => {
  await app.post('/widgets', { slug: 'canary-slug', name: 'W', content: { template: 'value' } }, user.token)
  const { token, id } = (await app.post('/screens', { name: 'S', widgets: ['canary-slug'] }, user.token)).body
  recording.ended.length = 0
  const ask = async () => {
    for (const path of [
      'widgets/canary-slug.txt',
      'widgets/canary-slug.png',
      'widgets/canary-slug.png?size=1',
      'canary-slug',
    ])
      await app.get(`/s/${token}/${path}`)
  }
  await ask()
  await app.del(`/screens/${id}`, user.token)
  await ask()
  await named('GET /s/:token/widgets/:slug.txt')
  const seen = JSON.stringify(recording.ended) + (await scrape(app.app)).text
  expect([seen.includes(token), seen.includes('canary-slug')]).toEqual([false, false])
})
