// R24: connections are shared, a second one opens under load, and closing one neither loses nor duplicates a push.
import { describe, expect, test } from 'vitest'
import { examplePush, startApnsRig } from '../support/devices/apns-rig.ts'
import { isNightly } from '../support/nightly.ts'

const ACCEPTED = { result: 'accepted' }

describe('R24 connections', () => {
  test('are reused', async () => {
    const { fake, push } = await startApnsRig()
    for (let n = 0; n < 5; n++) expect(await push()).toEqual(ACCEPTED)
    expect(fake.connections).toBe(1)
  })

  test('carry one stream until the first accepted push', async () => {
    const { fake, push } = await startApnsRig({ oneStreamUntilSuccess: true, maxStreams: 1000 })
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => push()))
    expect(outcomes).toEqual(Array(50).fill(ACCEPTED))
    expect(fake.mostOpenBeforeSuccess).toBe(1)
    expect(fake.mostOpen).toBeGreaterThan(1)
    expect(fake.requests).toHaveLength(50)
  })

  test('carry one stream until the first accepted push, even if the server allows more', async () => {
    const { fake, push } = await startApnsRig({ maxStreams: 1000 })
    for (const token of ['a', 'b', 'c']) fake.script(token, { status: 400, reason: 'PayloadEmpty' })
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((token) => push({ token })))
    expect(fake.mostOpenBeforeSuccess).toBe(1)
  })

  test('a second one opens when the first is full, and never a third', async () => {
    const { fake, push } = await startApnsRig({ maxStreams: 5 })
    await push()
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => push()))
    expect(outcomes).toEqual(Array(200).fill(ACCEPTED))
    expect(fake.connections).toBe(2)
    expect(new Set(fake.acceptedIds()).size).toBe(201)
    expect(fake.requests).toHaveLength(201)
  })
})

describe('R24 GOAWAY', () => {
  test('with a last stream id below this stream: it and later streams are sent once over a new connection', async () => {
    const { fake, push, acceptedOn } = await startApnsRig()
    await push()
    fake.script('b', { goaway: 'below', reason: 'Shutdown' })
    const outcomes = await Promise.all(['a', 'b', 'c'].map((token) => push({ token })))
    expect(outcomes).toEqual([ACCEPTED, ACCEPTED, ACCEPTED])
    expect(['a', 'b', 'c'].map(acceptedOn)).toEqual([[1], [2], [2]])
  })

  test('with this stream as the last stream id: it finishes, later ones go over a new connection', async () => {
    const { fake, push, acceptedOn } = await startApnsRig()
    await push()
    fake.script('b', { goaway: 'at' })
    const outcomes = await Promise.all(['a', 'b', 'c'].map((token) => push({ token })))
    expect(outcomes).toEqual([ACCEPTED, ACCEPTED, ACCEPTED])
    expect(['a', 'b', 'c'].map(acceptedOn)).toEqual([[1], [1], [2]])
  })

  test('with a last stream id above: all in flight finish, the next push uses a new connection', async () => {
    const { fake, push, acceptedOn } = await startApnsRig()
    await push()
    fake.script('b', { goaway: 'above' })
    const outcomes = await Promise.all(['a', 'b', 'c'].map((token) => push({ token })))
    expect(await push({ token: 'd' })).toEqual(ACCEPTED)
    expect(outcomes).toEqual([ACCEPTED, ACCEPTED, ACCEPTED])
    expect(['a', 'b', 'c', 'd'].map(acceptedOn)).toEqual([[1], [1], [1], [2]])
  })

  test('with an error code: pushes in flight are sent once more with the same id', async () => {
    const { fake, push, lines } = await startApnsRig()
    await push()
    fake.script('a', { goaway: 'at', code: 2, reason: 'BadCertificate' })
    const { id } = examplePush()
    expect(await push({ token: 'a', id })).toEqual(ACCEPTED)
    expect(fake.requests.slice(1).map((request) => [request.connection, request.headers['apns-id']])).toEqual([
      [1, id],
      [2, id],
    ])
    const closed = lines.filter((line) => line.msg === 'APNs connection closed')
    expect(closed.map((line) => line.ending)).toEqual(['GOAWAY 2 {"reason":"BadCertificate"}'])
  })

  test('with an error code: a stream above the last stream id counts as not processed, and keeps its retry', async () => {
    const { fake, push } = await startApnsRig()
    await push()
    fake.script('a', { goaway: 'below', code: 2 }, 'reset')
    expect(await push({ token: 'a' })).toEqual(ACCEPTED)
    expect(fake.requests.map((request) => request.connection)).toEqual([1, 1, 2, 3])
  })

  test('and then no answers: a hanging push is sent again once a PING times out, and others do not wait for it', async () => {
    const { fake, push, clock, acceptedOn } = await startApnsRig()
    await push()
    fake.script('hangs', { goaway: 'at', silent: true })
    const hanging = push({ token: 'hangs' })
    await fake.until(() => fake.requests.length === 2)
    expect(await push({ token: 'other' })).toEqual(ACCEPTED)
    expect(acceptedOn('other')).toEqual([2])

    fake.freeze(1)
    clock.advanceSeconds(14)

    expect(await hanging).toEqual(ACCEPTED)
    expect(acceptedOn('hangs')).not.toContain(1)
  })

  test('again and again does not use up the retries of a push', async () => {
    const { fake, push } = await startApnsRig({ goawayEvery: 4, maxStreams: 50 })
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => push()))
    expect(outcomes).toEqual(Array(200).fill(ACCEPTED))
    expect(new Set(fake.acceptedIds()).size).toBe(200)
    expect(fake.acceptedIds()).toHaveLength(200)
  })

  const PUSHES = isNightly ? 10_000 : 1000

  test(`every 200 requests: ${PUSHES} pushes are accepted exactly once each`, async () => {
    const { fake, push } = await startApnsRig({
      goawayEvery: 200,
      oneStreamUntilSuccess: true,
      maxStreams: 1000,
    })
    const outcomes = await Promise.all(Array.from({ length: PUSHES }, () => push()))
    expect(outcomes.filter((outcome) => outcome.result !== 'accepted')).toEqual([])
    const ids = fake.acceptedIds()
    expect(ids).toHaveLength(PUSHES)
    expect(new Set(ids).size).toBe(PUSHES)
    expect(fake.connections).toBeGreaterThanOrEqual(PUSHES / 200)
  })
})
