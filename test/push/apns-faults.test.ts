// R24: a push hit by a fault is sent again or ends as try_later; it is never lost.
import { createSecureContext } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Connection, type InFlight } from '../../src/push/channels/apns/connection.ts'
import { startApnsRig } from '../support/devices/apns-rig.ts'
import { startFakeApns } from '../support/fakes/fake-apns.ts'
import { createTestClock } from '../support/fakes/test-clock.ts'

const ACCEPTED = { result: 'accepted' }

describe('R24 faults in the middle of a push', () => {
  test('a refused stream is sent again', async () => {
    const { fake, push } = await startApnsRig()
    fake.script('a', 'refuse')
    expect(await push({ token: 'a' })).toEqual(ACCEPTED)
    expect(fake.requests).toHaveLength(2)
    expect(fake.requests[1]?.headers['apns-id']).toBe(fake.requests[0]?.headers['apns-id'])
  })

  test('a stream that is refused every time ends as try_later after 9 requests', async () => {
    const { fake, push } = await startApnsRig()
    fake.script('a', ...Array(50).fill('refuse'))
    expect(await push({ token: 'a' })).toEqual({ result: 'try_later', reason: 'refused' })
    expect(fake.requests).toHaveLength(9)
  })

  test('a TCP reset before the answer: sent once more with the same id', async () => {
    const { fake, push } = await startApnsRig()
    fake.scriptNth(1, 'reset')
    expect(await push()).toEqual(ACCEPTED)
    expect(fake.requests.map((request) => request.connection)).toEqual([1, 2])
    expect(fake.requests[1]?.headers['apns-id']).toBe(fake.requests[0]?.headers['apns-id'])
  })

  test('two TCP resets: try_later, without a third attempt', async () => {
    const { fake, push } = await startApnsRig()
    fake.script('a', 'reset', 'reset')
    expect(await push({ token: 'a' })).toEqual({ result: 'try_later', reason: 'connection_lost' })
    expect(fake.requests).toHaveLength(2)
  })

  test('an error response that is cut off does not count as an answer, and the push is sent again', async () => {
    const { fake, push } = await startApnsRig()
    fake.script('a', { status: 400, reason: 'BadDeviceToken', isCutOff: true })
    expect(await push({ token: 'a' })).toEqual(ACCEPTED)
    expect(fake.requests).toHaveLength(2)
  })

  test('a frozen connection is detected by PING within 15 s, and its pushes are sent again', async () => {
    const { fake, push, clock, lines } = await startApnsRig()
    await push()
    fake.script('a', 'freeze')
    const stalled = push({ token: 'a' })
    await fake.until(() => fake.requests.length === 2)

    clock.advanceSeconds(15)

    expect(await stalled).toEqual(ACCEPTED)
    expect(fake.requests.map((request) => request.connection)).toEqual([1, 1, 2])
    expect(lines).toContainEqual(expect.objectContaining({ ending: 'no answer to a PING' }))
  })

  test('a slow answer on a connection that answers PINGs is waited for, up to the deadline', async () => {
    const { fake, push, clock } = await startApnsRig()
    await push()
    fake.script('slow', 'silence')
    const slow = push({ token: 'slow' })
    await fake.until(() => fake.requests.length === 2)
    clock.advanceSeconds(6)
    await fake.until(() => fake.pings === 1)
    // APNs answers the PING before this push.
    expect(await push()).toEqual(ACCEPTED)

    clock.advanceSeconds(5)
    expect(await push()).toEqual(ACCEPTED)
    expect(fake.connections).toBe(1)

    clock.advanceSeconds(20)
    expect(await slow).toEqual({ result: 'try_later', reason: 'timeout' })
  })

  test('a push times out at its deadline without closing the connection', async () => {
    const { fake, push, clock } = await startApnsRig()
    await push()
    fake.script('slow', 'silence')
    const slow = push({ token: 'slow', deadlineMs: 2000 })
    await fake.until(() => fake.requests.length === 2)
    clock.advanceSeconds(2.5)
    expect(await slow).toEqual({ result: 'try_later', reason: 'timeout' })
    expect(await push()).toEqual(ACCEPTED)
    expect(fake.connections).toBe(1)
  })

  test('a push that waits for a free stream times out at its deadline too, and is never sent', async () => {
    const { fake, push, clock, tokensOn } = await startApnsRig()
    fake.script('first', 'silence')
    const first = push({ token: 'first', deadlineMs: 3000 })
    const second = push({ token: 'second', deadlineMs: 1000 })
    await fake.until(() => fake.requests.length === 1)
    clock.advanceSeconds(1.5)
    expect(await second).toEqual({ result: 'try_later', reason: 'timeout' })
    clock.advanceSeconds(2)
    expect(await first).toEqual({ result: 'try_later', reason: 'timeout' })
    expect(await push({ token: 'third' })).toEqual(ACCEPTED)
    expect(tokensOn(1)).toEqual(['first', 'third'])
  })

  test('a push handed to a session that has already ended counts as not processed', async () => {
    const fake = await startFakeApns()
    onTestFinished(() => fake.close())
    const notProcessed: InFlight[] = []
    const connection = new Connection({
      url: fake.url,
      secureContext: createSecureContext({ ca: fake.ca }),
      clock: createTestClock(),
      events: {
        changed: () => {},
        notProcessed: (push) => void notProcessed.push(push),
        lost: () => {},
        closed: () => {},
      },
    })
    const push: InFlight = {
      headers: { ':method': 'POST', ':path': '/3/device/a' },
      payload: '{}',
      deadlineAtMs: 1000,
      settle: () => {},
      connection: undefined,
      refusals: 0,
      wasLost: false,
      isSettled: false,
    }
    connection.destroy('ended')
    connection.send(push)
    expect(notProcessed).toEqual([push])
  })
})
