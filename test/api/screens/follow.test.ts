// Texts that are followed, and the events of a screen link: what is written, when, and when it ends.
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { TestUser } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'

const nodes = useTestNodes()

let user: TestUser
beforeEach(async () => {
  user = await nodes.first.addUser()
  await set(1)
  await nodes.first.post('/activities', { slug: 'deploy', name: 'Deploy' }, user.token)
})

const set = (value: number) =>
  nodes.first.post('/widgets', { slug: 'boiler', name: 'Boiler', content: { template: 'value', value } }, user.token)

async function addLink(input: object): Promise<{ id: string; path: string }> {
  const { body } = await nodes.first.post('/screens', { name: 'x', ...input }, user.token)
  return { id: body.id, path: new URL(body.url).pathname }
}

// What has come so far.
async function open(path: string, token?: string) {
  const leave = new AbortController()
  onTestFinished(() => leave.abort())
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const response = await fetch((nodes.all.at(-1) ?? nodes.first).url + path, { headers, signal: leave.signal })
  expect(response.status).toBe(200)
  const got = { text: '', response, ended: Promise.resolve() }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body as ReadableStream<Uint8Array>) got.text += decoder.decode(chunk)
  }
  got.ended = read().catch(() => {})
  return got
}

test('a text is written at once, at a change at most once a second, and again after 30 s of silence', async () => {
  const got = await open('/widgets/boiler.txt?follow=1', user.token)
  expect(got.response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  await eventually(() => expect(got.text).toBe('Boiler 1\n'))
  for (const value of [2, 3, 4]) await set(value)
  // Moves on until the text has come: how often the server looks until then is its own affair.
  const wait = (text: string) =>
    eventually(() => {
      nodes.first.advanceSeconds(1)
      expect(got.text).toBe(text)
    })
  await wait('Boiler 1\nBoiler 4\n')
  nodes.first.advanceSeconds(20)
  expect(got.text).toBe('Boiler 1\nBoiler 4\n')
  await wait('Boiler 1\nBoiler 4\nBoiler 4\n')
})

test('a text ends when its link is revoked, and SwiftBar gets a line that ends its block', async () => {
  const { id, path } = await addLink({ widgets: ['boiler'] })
  const got = await open(`${path}/widgets/boiler.txt?follow=1&form=swiftbar`)
  await eventually(() => expect(got.text).toMatch(/^Boiler 1 \|[\s\S]*\n~~~\n$/))
  await nodes.first.del(`/screens/${id}`, user.token)
  await eventually(() => {
    nodes.first.advanceSeconds(1)
    return Promise.race([got.ended, Promise.reject(new Error('still open'))])
  })
})

test('a text ends at once when its link no longer shows it', async () => {
  const { id, path } = await addLink({ widgets: ['boiler'] })
  const got = await open(`${path}/widgets/boiler.txt?follow=1`)
  await eventually(() => expect(got.text).toBe('Boiler 1\n'))
  // Beyond the second in which a text is written once at most.
  nodes.first.advanceSeconds(1)
  await nodes.first.post('/widgets', { slug: 'attic', name: 'Attic', content: { template: 'value' } }, user.token)
  await nodes.first.patch(`/screens/${id}`, { widgets: ['attic'] }, user.token)
  await eventually(() => Promise.race([got.ended, Promise.reject(new Error('still open'))]))
})

test('429 for one stream more than an account may have open, 404 and 422 before it begins', async () => {
  const streams = []
  for (let n = 0; n < LIMITS.eventStream.maxOpen; n++)
    streams.push(await open('/widgets/boiler.txt?follow=1', user.token))
  const refused = await nodes.first.get('/widgets/boiler.txt?follow=1', user.token)
  expectProblem(refused, 429, 'event_stream.limit_exceeded')
  expectProblem(await nodes.first.get('/widgets/none.txt?follow=1', user.token), 404, 'widget.not_found')
  expectProblem(await nodes.first.get('/widgets.txt?follow=1', user.token), 422, 'request.validation_failed')
})

test('the events of a link have what there is to see of what it shows, and of nothing else', async () => {
  const { id, path } = await addLink({ widgets: ['boiler'], activities: ['deploy'], lang: 'de' })
  const got = await open(`${path}/events`)
  await eventually(() => expect(got.text).toContain(': connected'))
  await nodes.first.post('/notifications', { title: 'Secret', body: 'B' }, user.token)
  expect((await nodes.first.put('/wall', { items: [] }, user.token)).status).toBe(200)
  await nodes.first.post('/widgets', { slug: 'attic', name: 'Attic', content: { template: 'value' } }, user.token)
  await set(2)
  await nodes.first.patch('/activities/deploy', { state: 'ongoing', content: { state: 'Building' } }, user.token)
  // What was deleted before the stream looks is not told as it was.
  await eventually(() => expect(got.text).toContain('Building'))
  await nodes.first.del('/widgets/boiler', user.token)
  await eventually(() => expect(got.text).toContain('widget.deleted'))
  const events = [...got.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data as string))
  expect(events.map(({ type, data }) => [type, data.text ?? data])).toEqual([
    ['widget.updated', '2'],
    ['activity.started', 'Building'],
    ['widget.deleted', { slug: 'boiler' }],
  ])
  await nodes.first.del(`/screens/${id}`, user.token)
  await got.ended
})

test('a link that shows less has no further events of what it no longer shows', async () => {
  await nodes.first.post('/widgets', { slug: 'attic', name: 'Attic', content: { template: 'value' } }, user.token)
  const { id, path } = await addLink({ widgets: ['boiler', 'attic'] })
  const got = await open(`${path}/events`)
  await eventually(() => expect(got.text).toContain(': connected'))
  expect((await nodes.first.patch(`/screens/${id}`, { widgets: ['attic'] }, user.token)).status).toBe(200)
  await set(2)
  await nodes.first.patch('/widgets/attic', { content: { value: 3 } }, user.token)
  await eventually(() => expect(got.text).toContain('"attic"'))
  expect(got.text).not.toContain('boiler')
})
