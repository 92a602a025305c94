// R24: unreachable hosts, idle connections, and closing the channel.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openApnsRig, startApnsRig } from '../support/devices/apns-rig.ts'
import { startFakeApns } from '../support/fakes/fake-apns.ts'

const ACCEPTED = { result: 'accepted' }

async function startRigOnSilentHost() {
  const fake = await startFakeApns()
  const sockets: Socket[] = []
  const host = createServer((socket) => void sockets.push(socket.on('error', () => {})))
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    host.close()
    await fake.close()
  })
  const productionUrl = `https://127.0.0.1:${(host.address() as AddressInfo).port}`
  return { ...openApnsRig(fake, { productionUrl }), connected: once(host, 'connection') }
}

describe('R24 unreachable hosts and idle connections', () => {
  test('an untrusted certificate: pushes end as try_later, with backoff between connection attempts', async () => {
    const fake = await startFakeApns()
    onTestFinished(() => fake.close())
    const { push, lines, clock } = openApnsRig(fake, { tls: {} })

    const outcomes = await Promise.all([push(), push()])
    expect(outcomes).toEqual(Array(2).fill({ result: 'try_later', reason: 'unreachable', afterSeconds: 1 }))
    expect(await push()).toMatchObject({ result: 'try_later', afterSeconds: 1 })
    const failures = () => lines.filter((line) => line.msg === 'APNs cannot be reached').length
    expect(failures()).toBe(1)

    clock.advanceSeconds(1)
    expect(await push()).toMatchObject({ result: 'try_later', afterSeconds: 2 })
    expect(failures()).toBe(2)
    expect(fake.requests).toEqual([])
  })

  test('a host that accepts connections and never answers is unreachable after 10 s', async () => {
    const { push, clock, connected } = await startRigOnSilentHost()
    const waiting = push()
    await connected
    clock.advanceSeconds(11)
    expect(await waiting).toEqual({ result: 'try_later', reason: 'unreachable', afterSeconds: 1 })
  })

  test('a host that closes every connection without an answer is unreachable after a few connections', async () => {
    const { fake, push } = await startApnsRig()
    const outcomes = Array.from({ length: 5 }, (_, n) => {
      fake.script(`${n}`, 'reset', 'reset')
      return push({ token: `${n}` })
    })
    const ended = await Promise.all(outcomes)
    expect(new Set(ended.map((outcome) => outcome.result))).toEqual(new Set(['try_later']))
    expect(fake.connections).toBeLessThan(5)
  })

  test('a connection that APNs announced to close but keeps open is closed by us', async () => {
    const { fake, push, clock, lines } = await startApnsRig()
    fake.script('last', { status: 503, reason: 'Shutdown' })
    await push({ token: 'last' })
    fake.freeze(1)
    clock.advanceSeconds(6)
    // This push takes long enough for the closed socket to be reported.
    expect(await push()).toEqual(ACCEPTED)
    expect(lines).toMatchObject([{ msg: 'APNs connection closed', ending: 'Shutdown' }])
  })

  test('a connection idle for an hour is checked with a PING and kept', async () => {
    const { fake, push, clock } = await startApnsRig()
    await push()
    clock.advanceSeconds(3599)
    expect(await push({ token: 'still' })).toEqual(ACCEPTED)
    expect(fake.pings).toBe(0)
    clock.advanceSeconds(3602)
    await fake.until(() => fake.pings === 1)
    expect(await push({ token: 'again' })).toEqual(ACCEPTED)
    expect(fake.connections).toBe(1)
  })

  test('a connection that died while idle is replaced before the next push', async () => {
    const { fake, push, clock, tokensOn } = await startApnsRig()
    await push()
    fake.freeze(1)
    clock.advanceSeconds(3700)
    expect(await push({ token: 'next' })).toEqual(ACCEPTED)
    expect(tokensOn(2)).toEqual(['next'])
  })
})

describe('closing the channel', () => {
  test('finishes pushes in flight, and refuses later ones with try_later', async () => {
    const { fake, push, channel } = await startApnsRig()
    await push()
    const inFlight = push()
    const closed = channel.close()
    expect(await push()).toEqual({ result: 'try_later', reason: 'closing' })
    expect(await inFlight).toEqual(ACCEPTED)
    await closed
    expect(fake.requests).toHaveLength(2)
  })

  test('does not wait for a connection that is still being established', async () => {
    const { push, channel, connected } = await startRigOnSilentHost()
    const waiting = push()
    await connected
    await channel.close()
    expect(await waiting).toEqual({ result: 'try_later', reason: 'closing' })
  })

  test('waits at most 5 s for a frozen connection', async () => {
    const { fake, push, channel, clock, lines } = await startApnsRig()
    await push()
    fake.freeze(1)
    const closed = channel.close()
    clock.advanceSeconds(5)
    await closed
    expect(lines).toMatchObject([{ msg: 'APNs connection closed', ending: 'closed by us' }])
  })

  test('waits at most 5 s for an answer', async () => {
    const { fake, push, channel, clock } = await startApnsRig()
    fake.script('hangs', 'silence')
    const hanging = push({ token: 'hangs' })
    await fake.until(() => fake.requests.length === 1)
    const closed = channel.close()
    clock.advanceSeconds(5)
    await closed
    expect(await hanging).toEqual({ result: 'try_later', reason: 'closing' })
  })
})
