// Push payloads of a notification, for each channel.
import { describe, expect, test } from 'vitest'
import { deviceId } from '../../src/domain/devices.ts'
import type { FileId } from '../../src/domain/files.ts'
import { instant, toRfc3339 } from '../../src/domain/instant.ts'
import { draftNotification } from '../../src/domain/notifications/draft.ts'
import type { NotificationId } from '../../src/domain/notifications/notification.ts'
import type { PushContent } from '../../src/domain/push.ts'
import { ACTIONS_CATEGORY, encryptedFits } from '../../src/push/payload/notification.ts'
import { apnsRequest } from '../../src/push/requests.ts'
import {
  actions,
  alert,
  CREATED,
  EVERYTHING,
  message,
  notification,
  TICKET,
} from '../support/devices/pushed-notification.ts'

const ENVELOPE = `pw1.0a1b2c3d.${'A'.repeat(3072 - 13)}`

const SHARED_MEMBERS = {
  notification_id: 7,
  created_at: CREATED,
  url: 'https://example.com/disks',
  media: { url: 'https://example.com/graph.png', type: 'image' },
  icon_url: 'https://example.com/icon.png',
  actions: [{ id: 'clean', title: 'Clean up' }],
  metadata: { node: '3' },
  source: 'monitor',
  source_display_name: 'Monitoring',
  activity_slug: 'disk-check',
  answer_ticket: TICKET,
}

describe('apnsNotification', () => {
  test('of a plain notification has only the required members', () => {
    expect(alert()).toEqual({
      aps: {
        alert: { title: 'Disk full', body: 'node-3 has 2 % left' },
        'interruption-level': 'active',
        'relevance-score': 0.5,
        sound: 'default',
        badge: 3,
      },
      notification_id: 7,
      created_at: CREATED,
    })
  })

  test('of a Markdown message has its text without the marks', () => {
    const format = { format: 'markdown' as const, body: '**node-3** has [2 % left](https://example.com)' }
    expect(alert(format).aps.alert.body).toBe('node-3 has 2 % left')
    expect(message(format).body).toBe('node-3 has 2 % left')
  })

  test('has every member of a notification, our own outside of aps', () => {
    expect(alert(EVERYTHING, { ticket: TICKET })).toEqual({
      aps: {
        alert: { title: 'Disk full', subtitle: 'Storage', body: 'node-3 has 2 % left' },
        'interruption-level': 'active',
        'relevance-score': 0.5,
        sound: 'default',
        badge: 3,
        'thread-id': 'disks',
        category: ACTIONS_CATEGORY,
        'mutable-content': 1,
      },
      ...SHARED_MEMBERS,
    })
  })

  test.each([
    ['passive', undefined, 0.25],
    ['active', 'default', 0.5],
    ['time-sensitive', 'default', 0.75],
    ['critical', { critical: 1, name: 'default', volume: 1 }, 1],
  ] as const)('at level %s has the sound %j', (level, sound, relevance) => {
    const { aps } = alert({ level })
    expect(aps['interruption-level']).toBe(level)
    expect(aps.sound).toEqual(sound)
    expect(aps['relevance-score']).toBe(relevance)
  })

  test('volume applies at level critical only, 0 included', () => {
    expect(alert({ level: 'critical', volume: 0 }).aps.sound).toEqual({ critical: 1, name: 'default', volume: 0 })
    expect(alert({ level: 'active', volume: 0.5 }).aps.sound).toBe('default')
  })

  test.each([
    ['media', { media: { url: 'https://example.com/a.mp3', type: 'audio' } }],
    ['an icon', { iconUrl: 'https://example.com/icon.png' }],
    ['an envelope', { encrypted: ENVELOPE }],
  ] as [string, Partial<PushContent>][])('with %s has mutable-content and no category', (_what, members) => {
    const { aps } = alert(members)
    expect(aps['mutable-content']).toBe(1)
    expect(aps).not.toHaveProperty('category')
  })

  test('has of its attachments what a device needs to show them', () => {
    const shown = { url: 'https://push.example.org/files/x', name: 'log.txt', type: 'text/plain', bytes: 1200 }
    const attachments = [{ ...shown, id: 'x' as FileId, expiresAt: instant(0) }]
    expect([alert({ attachments }).attachments, message({ attachments }).attachments]).toEqual([[shown], [shown]])
  })

  test('an empty list of actions sets no category', () => {
    expect(alert({ actions: [] }).aps).not.toHaveProperty('category')
  })

  test('a badge of 0 is sent, because it clears the badge', () => {
    expect(alert({}, { badge: 0 }).aps.badge).toBe(0)
  })
})

describe('webPushNotification', () => {
  test('has the same members for the service worker', () => {
    expect(message(EVERYTHING, { ticket: TICKET })).toEqual({
      type: 'notification',
      title: 'Disk full',
      subtitle: 'Storage',
      body: 'node-3 has 2 % left',
      level: 'active',
      badge: 3,
      thread_id: 'disks',
      ...SHARED_MEMBERS,
    })
  })

  test('has a tag derived from the collapse id, always the same', () => {
    const tag = message({}, { collapseId: '⛅️'.repeat(32) }).tag
    expect(tag).toMatch(/^[A-Za-z0-9_-]{32}$/)
    expect(message({ body: 'other' }, { collapseId: '⛅️'.repeat(32) }).tag).toBe(tag)
    expect(message({}, { collapseId: 'another' }).tag).not.toBe(tag)
  })

  test('has a volume at level critical only', () => {
    expect(message({ level: 'critical' }).volume).toBe(1)
    expect(message({ level: 'active', volume: 0.5 })).not.toHaveProperty('volume')
  })
})

describe('an encrypted notification', () => {
  const sealed = draftNotification({ encrypted: ENVELOPE })

  test('shows the placeholder and carries the envelope', () => {
    const text = { title: 'Encrypted notification', body: 'End-to-end encrypted.' }
    expect(alert(sealed)).toMatchObject({ aps: { alert: text }, encrypted: ENVELOPE })
    expect(message(sealed)).toMatchObject({ ...text, encrypted: ENVELOPE })
  })

  test('the largest envelope fits together with short members', () => {
    const draft = { ...sealed, source: 'monitor', actions: actions(2) }
    expect(encryptedFits(draft)).toBe(true)
    expect(alert(draft)).not.toHaveProperty('shortened')
    expect(message(draft)).not.toHaveProperty('shortened')
  })

  test('is refused rather than shortened, and the check before it is stored agrees', () => {
    const draft = { ...sealed, metadata: { log: 'y'.repeat(1000) } }
    expect(encryptedFits(draft)).toBe(false)
    const tooLarge = expect.objectContaining({ problem: 'notification.encrypted_too_large' })
    expect(() => alert(draft)).toThrow(tooLarge)
    expect(() => message(draft)).toThrow(tooLarge)
  })

  test.each(['passive', 'critical'] as const)(
    'at level %s is accepted up to the last byte that always fits',
    (level) => {
      const widest = { badge: Number.MAX_SAFE_INTEGER, ticket: TICKET, collapseId: 'c' }
      const withLog = (chars: number) => ({
        ...sealed,
        level,
        actions: actions(1),
        metadata: { log: 'y'.repeat(chars) },
      })
      const stored = (chars: number) => ({ ...withLog(chars), id: Number.MAX_SAFE_INTEGER as NotificationId })
      const largest = Array.from({ length: 1000 }, (_, chars) => chars).findLast((chars) =>
        encryptedFits(withLog(chars)),
      )
      const push = (chars: number) => [alert(stored(chars), widest), message(stored(chars), widest)]
      expect(push(Number(largest))).toHaveLength(2)
      expect(() => push(Number(largest) + 1)).toThrow(expect.objectContaining({ status: 422 }))
    },
  )

  test('an unencrypted notification always fits, because it can be shortened', () => {
    expect(encryptedFits(notification({ metadata: { log: 'y'.repeat(4096) }, body: 'x'.repeat(4096) }))).toBe(true)
  })
})

describe('the APNs request', () => {
  test.each([
    ['passive', 5],
    ['active', 10],
    ['time-sensitive', 10],
    ['critical', 10],
  ] as const)('level %s has priority %i and expires after 24 hours', (level, priority) => {
    const message = { kind: 'notification', notification: notification({ level }), badge: 1, repeat: 0 } as const
    const request = apnsRequest(message, deviceId('phone'))
    expect(request).toMatchObject({ type: 'alert', priority })
    expect(request.expiresAt && toRfc3339(request.expiresAt)).toBe('2026-11-16T08:30:00.000Z')
  })
})
