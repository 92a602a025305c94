// Push channels in their worker thread, as the built program runs them.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ChannelOptions } from '../../src/push/channels/channels.ts'
import type * as Thread from '../../src/push/channels/thread.ts'
import { ENTRY as SOURCE_ENTRY } from '../../src/push/channels/thread.ts'
import { generateVapidKeys } from '../../src/push/channels/web-push/vapid.ts'
import { examplePush } from '../support/devices/apns-rig.ts'
import { startFakeApns } from '../support/fakes/fake-apns.ts'
import { startFakeWebPush } from '../support/fakes/fake-web-push.ts'
import { createMemoryLog } from '../support/fakes/memory-log.ts'
import { emptyFolder, runNode, SOURCES } from '../support/heliograph-process.ts'

const THREAD = `${SOURCES}push/channels/thread.ts`
const { openChannelsInThread, ENTRY }: typeof Thread = await import(THREAD)

async function startServices() {
  const [apns, webPush] = await Promise.all([startFakeApns(), startFakeWebPush()])
  onTestFinished(async () => {
    await Promise.all([apns.close(), webPush.close()])
  })
  const keys = generateVapidKeys()
  const options: ChannelOptions = {
    apns: { ...apns.provider, topic: 'org.example.app', productionUrl: apns.url, sandboxUrl: apns.url },
    bark: undefined,
    webPush: { keys, subject: 'mailto:operator@example.com' },
    outboundAllow: ['127.0.0.1'],
    ca: apns.ca + webPush.ca,
  }
  return { apns, webPush, keys, options }
}

function openThread(options: ChannelOptions) {
  const { log, lines } = createMemoryLog()
  const channels = openChannelsInThread(options, { log })
  onTestFinished(() => channels.close())
  return { ...channels, events: () => lines.map((line) => JSON.parse(line)) }
}

test('C27 the entry file of the thread exists, both in the sources and in the build', () => {
  expect(existsSync(fileURLToPath(SOURCE_ENTRY))).toBe(true)
  expect(existsSync(fileURLToPath(ENTRY))).toBe(true)
})

describe('pushes from the thread', () => {
  test('reach Apple and browsers', async () => {
    const { apns, webPush, keys, options } = await startServices()
    const thread = openThread(options)
    const push = examplePush()
    const subscription = await webPush.subscribe(keys.publicKey)
    const message = { ...subscription, payload: '{"title":"Hello"}', ttlSeconds: 60, urgency: 'normal' as const }

    expect(await thread.apns?.push(push)).toEqual({ result: 'accepted' })
    expect(apns.requests.map(({ token, payload }) => ({ token, payload }))).toEqual([
      { token: push.token, payload: push.payload },
    ])
    expect(await thread.webPush.push(message)).toEqual({ result: 'accepted' })
    const [received] = webPush.received
    expect(received && (await webPush.read(received))).toBe(message.payload)
  })

  test('hundreds of concurrent pushes are each sent once and get their own outcome', async () => {
    const { apns, options } = await startServices()
    const thread = openThread(options)
    const pushes = Array.from({ length: 300 }, () => examplePush())
    const isGone = (index: number) => index % 7 === 0
    pushes.forEach(({ token }, index) => {
      if (isGone(index)) apns.script(token, { status: 410, reason: 'Unregistered', timestamp: index })
    })
    const outcomes = await Promise.all(pushes.map((push) => thread.apns?.push(push)))
    expect(outcomes).toEqual(
      pushes.map((_, index) =>
        isGone(index) ? { result: 'device_gone', reason: 'Unregistered', goneAt: index } : { result: 'accepted' },
      ),
    )
    expect(apns.requests).toHaveLength(300)
  })

  test('without an APNs key there is no APNs channel', async () => {
    const { options } = await startServices()
    expect(openThread({ ...options, apns: undefined }).apns).toBeUndefined()
  })
})

describe('the thread', () => {
  test('logs to the log of the process', async () => {
    const { apns, options } = await startServices()
    const thread = openThread(options)
    const push = examplePush()
    apns.script(push.token, { status: 403, reason: 'InvalidProviderToken' })
    await thread.apns?.push(push)
    expect(thread.events()).toContainEqual(
      expect.objectContaining({ level: 50, reason: 'InvalidProviderToken', channel: 'apns' }),
    )
  })

  test('that fails ends its pushes as try_later, is reported, and is restarted by the next push', async () => {
    const { options } = await startServices()
    const keysOfTwoPairs = { ...generateVapidKeys(), publicKey: generateVapidKeys().publicKey }
    const thread = openThread({ ...options, webPush: { ...options.webPush, keys: keysOfTwoPairs } })
    for (const failures of [1, 2]) {
      expect(await thread.apns?.push(examplePush())).toMatchObject({ result: 'try_later' })
      const reported = thread.events().filter(({ msg }) => msg === 'the thread for pushes has failed')
      expect(reported).toHaveLength(failures)
    }
  })

  test('does not keep an otherwise idle process running', async () => {
    const { options } = await startServices()
    const script = `
      const { openChannelsInThread } = await import('${THREAD}')
      const { createLog } = await import('${SOURCES}runtime/log.ts')
      const channels = openChannelsInThread(${JSON.stringify(options)}, { log: createLog('info', 'json') })
      const pushed = channels.apns.push(${JSON.stringify(examplePush())})
      const timer = setTimeout(() => {}, 60_000)
      console.log((await pushed).result)
      clearTimeout(timer)`
    const file = join(emptyFolder(), 'push-once.mjs')
    writeFileSync(file, script)
    const ended = await runNode([file])
    expect(ended).toMatchObject({ code: 0, stdout: 'accepted\n', stderr: '' })
  })
})
