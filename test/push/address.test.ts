// One function pushes every kind of message to every kind of address: over which channel, and how the service treats it.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ActivityId } from '../../src/domain/activities/activity.ts'
import type { UserId } from '../../src/domain/caller.ts'
import { deviceId, type PushAddress } from '../../src/domain/devices.ts'
import { instant, plusSeconds } from '../../src/domain/instant.ts'
import type { NotificationId } from '../../src/domain/notifications/notification.ts'
import { PUSH_DEADLINE_MS, type PushMessage } from '../../src/domain/push.ts'
import type { WidgetId } from '../../src/domain/widgets/widget.ts'
import { createPushTo } from '../../src/push/address.ts'
import type { ApnsPush } from '../../src/push/channels/apns/request.ts'
import type { WebPush } from '../../src/push/channels/web-push/web-push.ts'

const NOW = instant(1_800_000_000_000)
const DAY_SECONDS = 24 * 3600

const device = { userId: 'user' as UserId, deviceId: deviceId('d'), deviceName: 'Device', registeredAt: NOW }
const phone: PushAddress = { ...device, kind: 'alert', token: 'abc', environment: 'sandbox', activityId: null }
const browser: PushAddress = { ...device, kind: 'web_push', endpoint: 'https://push.example', p256dh: 'key', auth: 'a' }

const notification = { id: 7 as NotificationId, createdAt: NOW, title: 'T', body: 'B', level: 'active' } as const
const activity = {
  id: '6dabbfa9-2b0d-4208-9cd5-10f335c022fa' as ActivityId,
  slug: 'build',
  name: 'Build',
  state: 'ongoing',
  priority: 0,
  content: { template: 'generic' },
  stateAt: NOW,
  updatedAt: NOW,
  staleTtlSeconds: null,
  dismissalTtlSeconds: null,
} as const

const SEALING_KEY = Buffer.alloc(32)
const NO_BARK = { bark: undefined, barkServers: { push: () => Promise.reject(new Error('not a Bark phone')) } }

const MESSAGES = {
  notification: { kind: 'notification', notification, badge: 3, collapseId: 'disk', repeat: 0 },
  withdrawal: { kind: 'withdrawal', ids: [notification.id], badge: 2 },
  reload: { kind: 'widget-reload', widget: { id: 'w' as WidgetId, slug: 'cpu' } },
  start: { kind: 'activity', activity, event: 'start', timestamp: 1 },
  update: { kind: 'activity', activity, event: 'update', timestamp: 2 },
} satisfies Record<string, PushMessage>

async function push(address: PushAddress, message: PushMessage) {
  const apns: ApnsPush[] = []
  const webPush: WebPush[] = []
  const pushTo = createPushTo(
    {
      ...NO_BARK,
      apns: {
        async push(sent) {
          apns.push(sent)
          return { result: 'accepted' }
        },
      },
      webPush: {
        async push(sent) {
          webPush.push(sent)
          return { result: 'accepted' }
        },
      },
    },
    SEALING_KEY,
  )
  expect(await pushTo(address, message)).toEqual({ result: 'accepted' })
  return { apns, webPush }
}

describe('to an Apple device', () => {
  test.each([
    ['a notification', MESSAGES.notification, { type: 'alert', priority: 10, collapseId: 'disk' }],
    ['a withdrawal', MESSAGES.withdrawal, { type: 'background', priority: 5 }],
    ['a widget reload', MESSAGES.reload, { type: 'widgets', priority: 5 }],
    ['the start of an activity', MESSAGES.start, { type: 'liveactivity', priority: 10 }],
    ['a silent update of an activity', MESSAGES.update, { type: 'liveactivity', priority: 5 }],
  ])('%s goes to its token, over APNs only', async (_name, message, expected) => {
    const { apns, webPush } = await push(phone, message)
    const address = { token: 'abc', environment: 'sandbox', deadlineMs: PUSH_DEADLINE_MS }
    expect(apns).toMatchObject([{ ...address, ...expected }])
    expect(webPush).toEqual([])
  })

  test('a notification is kept for a day, and every attempt has the same id', async () => {
    const [first] = (await push(phone, MESSAGES.notification)).apns
    const [second] = (await push(phone, MESSAGES.notification)).apns
    expect(first?.expiresAt).toBe(plusSeconds(NOW, DAY_SECONDS))
    expect(second?.id).toBe(first?.id)
    const [repeated] = (await push(phone, { ...MESSAGES.notification, repeat: 1 })).apns
    expect(repeated?.id).not.toBe(first?.id)
  })

  test('is rejected for good by a server without an APNs key', async () => {
    const webPush = { push: () => Promise.reject(new Error('not a browser')) }
    const pushTo = createPushTo({ ...NO_BARK, apns: undefined, webPush }, SEALING_KEY)
    expect(await pushTo(phone, MESSAGES.reload)).toEqual({ result: 'rejected', reason: 'this server has no APNs key' })
  })
})

describe('to a browser', () => {
  test.each([
    ['a notification', MESSAGES.notification, { ttlSeconds: DAY_SECONDS, urgency: 'normal' }],
    ['a withdrawal', MESSAGES.withdrawal, { ttlSeconds: 3600, urgency: 'low' }],
    ['a widget reload', MESSAGES.reload, { ttlSeconds: 3600, urgency: 'low' }],
    ['the start of an activity', MESSAGES.start, { ttlSeconds: 8 * 3600, urgency: 'high' }],
    ['a silent update of an activity', MESSAGES.update, { ttlSeconds: 8 * 3600, urgency: 'low' }],
  ])('%s goes to its endpoint, over Web Push only', async (_name, message, expected) => {
    const { apns, webPush } = await push(browser, message)
    const address = {
      endpoint: 'https://push.example',
      keys: { p256dh: 'key', auth: 'a' },
      deadlineMs: PUSH_DEADLINE_MS,
    }
    expect(webPush).toMatchObject([{ ...address, ...expected }])
    expect(apns).toEqual([])
  })

  test('a newer message replaces a waiting one of the same widget or activity, but no withdrawal', async () => {
    const topicOf = async (message: PushMessage) => (await push(browser, message)).webPush[0]?.topic
    const other = { ...MESSAGES.update, activity: { ...activity, id: randomUUID() as ActivityId } }
    expect(await topicOf(MESSAGES.start)).toBe(await topicOf(MESSAGES.update))
    expect(await topicOf(other)).not.toBe(await topicOf(MESSAGES.update))
    expect(await topicOf(MESSAGES.reload)).toMatch(/^[\w-]{32}$/)
    expect(await topicOf(MESSAGES.withdrawal)).toBeUndefined()
  })
})
