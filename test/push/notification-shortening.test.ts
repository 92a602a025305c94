// Which members are left out, and in which order, when a notification is too large for a push.
import { describe, expect, test } from 'vitest'
import type { NotificationId } from '../../src/domain/notifications/notification.ts'
import type { PushContent } from '../../src/domain/push.ts'
import { ACTIONS_CATEGORY } from '../../src/push/payload/notification.ts'
import { actions, alert, EVERYTHING, message, TICKET } from '../support/devices/pushed-notification.ts'

// Each character takes six bytes in JSON, the maximum.
const wide = (chars: number) => '\u0001'.repeat(chars)
const bytesOf = (payload: object) => Buffer.byteLength(JSON.stringify(payload))

describe.each([
  ['apnsNotification', alert, 4096],
  ['webPushNotification', message, 3993],
] as const)('%s of a notification that is too large', (name, push, limitBytes) => {
  const bodyOf = (payload: ReturnType<typeof push>) => (name === 'apnsNotification' ? payload.aps.alert : payload).body

  test('is shortened from one byte above the limit', () => {
    const largest = 'x'.repeat(limitBytes - bytesOf(push({ body: '' })))
    expect(bytesOf(push({ body: largest }))).toBe(limitBytes)
    expect(bodyOf(push({ body: largest }))).toBe(largest)
    expect(push({ body: `${largest}x` }).shortened).toEqual(['body'])
  })

  test('shortens only the body when that is enough', () => {
    const body = 'x'.repeat(4096)
    const metadata = { log: 'y'.repeat(2500) }
    const payload = push({ ...EVERYTHING, body, metadata })
    expect(bodyOf(payload)).toMatch(/^x{100,}…$/)
    expect(payload).toMatchObject({ metadata, icon_url: EVERYTHING.iconUrl, shortened: ['body'] })
  })

  test('omits metadata, and then keeps the whole body', () => {
    const payload = push({ ...EVERYTHING, body: 'x'.repeat(2000), metadata: { log: 'y'.repeat(4096) } })
    expect(bodyOf(payload)).toBe('x'.repeat(2000))
    expect(payload).not.toHaveProperty('metadata')
    expect(payload).toMatchObject({ media: EVERYTHING.media, shortened: ['metadata'] })
  })

  test('never cuts the body below 100 characters to keep metadata', () => {
    const payload = push({ body: 'x'.repeat(101), metadata: { log: 'y'.repeat(3800) } })
    expect(bodyOf(payload)).toBe('x'.repeat(101))
    expect(payload.shortened).toEqual(['metadata'])
  })

  test('omits metadata before the bodies of actions', () => {
    const withBodies = actions(2, { url: 'https://example.com', body: 'z'.repeat(1024) })
    const payload = push({ actions: withBodies, metadata: { log: 'y'.repeat(2000) } })
    expect(payload.actions).toEqual(withBodies)
    expect(payload.shortened).toEqual(['metadata'])
  })

  test('omits the bodies of actions, and keeps metadata if it fits', () => {
    const called = { url: 'https://example.com', method: 'POST', headers: { 'X-A': 'b' } }
    const payload = push({ actions: actions(10, { ...called, body: 'z'.repeat(1024) }), metadata: { node: '3' } })
    expect(payload.actions).toEqual(actions(10, called))
    expect(payload).toMatchObject({ metadata: { node: '3' }, shortened: ['actions'] })
  })

  test('omits the headers of actions before the icon', () => {
    const headers = { Authorization: 'z'.repeat(900) }
    const iconUrl = `https://example.com/${'i'.repeat(1000)}`
    const payload = push({ actions: actions(5, { url: 'https://example.com', headers }), iconUrl })
    expect(payload.actions).toEqual(actions(5, { url: 'https://example.com' }))
    expect(payload).toMatchObject({ icon_url: iconUrl, shortened: ['actions'] })
  })

  test('omits the icon before the media, and the media before the url', () => {
    const [iconUrl, mediaUrl, url] = ['i', 'm', 'u'].map((letter) => `https://example.com/${letter.repeat(2000)}`)
    const media = { url: String(mediaUrl), type: 'image' as const }
    const one = push({ iconUrl, media, subtitle: 's'.repeat(100) })
    expect(one).toMatchObject({ media, shortened: ['icon_url'] })
    const two = push({ media, url, subtitle: 's'.repeat(100) })
    expect(two).toMatchObject({ url, shortened: ['media'] })
  })

  test('omits whole actions that call a url, rather than only their urls', () => {
    const callers = actions(2, { id: 'call', url: `https://example.com/${'u'.repeat(2000)}` })
    const payload = push({ actions: [...callers, { id: 'ok', title: 'OK' }], iconUrl: 'https://example.com/i' })
    expect(payload.actions).toEqual([{ id: 'ok', title: 'OK' }])
    expect(payload).toMatchObject({ icon_url: 'https://example.com/i', shortened: ['actions'] })
  })

  test('keeps the category when no action fits', () => {
    const wide = actions(10).map(({ id }) => ({ id: id.padEnd(64, '\u0001'), title: '😀'.repeat(64) }))
    const payload = push({ actions: wide })
    expect(payload).not.toHaveProperty('actions')
    expect(payload.shortened).toEqual(['actions'])
    if (name === 'apnsNotification') {
      expect(payload.aps).toMatchObject({ category: ACTIONS_CATEGORY, 'mutable-content': 1 })
    }
  })

  test('omits icons and input labels of actions before any action', () => {
    const hints = {
      text_input: true,
      text_input_placeholder: '😀'.repeat(64),
      text_input_button_title: '😀'.repeat(64),
    }
    const payload = push({ actions: actions(10, { ...hints, icon: '😀'.repeat(64) }) })
    expect(payload.actions).toEqual(actions(10, { text_input: true }))
    expect(payload.shortened).toEqual(['actions'])
  })

  test('omits the activity link before the source, and the thread before an action', () => {
    const text = { title: wide(256), body: wide(100), threadId: wide(128) }
    const sourced = { ...text, source: wide(128), subtitle: '' }
    const subtitle = 'x'.repeat(limitBytes - bytesOf(push(sourced)) - 60)
    const one = push({ ...sourced, subtitle, activitySlug: 's'.repeat(128) })
    expect(one).toMatchObject({ source: wide(128), shortened: ['activity_slug'] })
    const two = push({ ...text, actions: actions(4, { title: wide(64) }) })
    expect(two).toMatchObject({ actions: actions(4, { title: wide(64) }), shortened: ['thread_id'] })
  })

  test('keeps the title and the first 100 characters of the body when every member has its maximum size', () => {
    const wideUrl = `https://example.com/${wide(2000)}`
    const widest: Partial<PushContent> = {
      id: Number.MAX_SAFE_INTEGER as NotificationId,
      title: wide(256),
      body: wide(4096),
      subtitle: wide(256),
      level: 'critical',
      volume: 1 / 3,
      threadId: wide(128),
      source: wide(128),
      sourceDisplayName: wide(256),
      url: wideUrl,
      media: { url: wideUrl, type: 'image' },
      iconUrl: wideUrl,
      actions: actions(10, { title: wide(64), icon: wide(64), url: wideUrl }),
      metadata: { log: wide(4096) },
      activitySlug: 's'.repeat(128),
    }
    const payload = push(widest, { ticket: TICKET, badge: Number.MAX_SAFE_INTEGER, collapseId: wide(64) })
    expect(bytesOf(payload)).toBeLessThanOrEqual(limitBytes)
    expect(name === 'apnsNotification' ? payload.aps.alert.title : payload.title).toBe(wide(256))
    expect(bodyOf(payload)).toMatch(/^\p{Cc}{100,}…$/u)
    const given = [
      'body',
      'metadata',
      'icon_url',
      'media',
      'actions',
      'url',
      'source',
      'source_display_name',
      'subtitle',
    ]
    expect(payload.shortened).toEqual(given)
  })

  test('cuts the body between characters, however many bytes each takes', () => {
    for (const lead of ['', 'a', 'ab', 'abc']) {
      const body = bodyOf(push({ body: lead + '😀'.repeat(2000) }))
      expect(body).toMatch(new RegExp(`^${lead}(?:😀){500,}…$`, 'u'))
    }
  })
})
