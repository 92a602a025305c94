// What the inbox shows and in which order, and the delivery of a notification in words.
import { describe, expect, test } from 'vitest'
import { deliveriesOf, pushErrorInWords, resultOf } from '../../console/src/inbox/device-delivery.ts'
import { matches, NO_FILTER, toQuery } from '../../console/src/inbox/filter.ts'
import { withText } from '../../console/src/inbox/silent-call.ts'
import { groupByDay, groupThreads } from '../../console/src/inbox/threads.ts'
import type { DeviceView } from '../../src/contract/devices.ts'
import type { NotificationView } from '../../src/contract/notifications/notification.ts'

const at = '2026-11-15T08:00:00Z'

const notification = (id: number, more: Partial<NotificationView> = {}): NotificationView => ({
  id,
  title: 'Disk full',
  body: 'on db01',
  level: 'active',
  pushed: true,
  created_at: at,
  ...more,
})

describe('a thread', () => {
  test('is at the position of its newest notification, with the earlier ones behind it', () => {
    const list = [
      notification(4, { thread_id: 'a' }),
      notification(3),
      notification(2, { thread_id: 'a' }),
      notification(1),
    ]
    const ids = groupThreads(list).map(({ newest, earlier }) => [newest.id, ...earlier.map(({ id }) => id)])
    expect(ids).toEqual([[4, 2], [3], [1]])
  })

  test('days are in the order of the list', () => {
    const rows = groupThreads([notification(2), notification(1, { created_at: '2026-11-13T08:00:00Z' })])
    expect(groupByDay(rows).map(({ rows: ofDay }) => ofDay.length)).toEqual([1, 1])
  })
})

describe('a filter', () => {
  test('asks the server only for what was chosen', () => {
    expect(toQuery(NO_FILTER)).toBe('')
    expect(toQuery({ unread: true, q: 'a&b', source: 'ci' }, 'next')).toBe('?unread=true&q=a%26b&source=ci&cursor=next')
  })

  test.each([
    [{ unread: true }, { read_at: at }],
    [{ unread: false, level: 'critical' }, {}],
    [{ unread: false, source: 'ci' }, { source: 'home' }],
    [{ unread: false, threadId: 'a' }, {}],
    [{ unread: false, q: 'memory' }, {}],
  ])('%j excludes %j from the open list', (filter, more) => {
    expect(matches(filter, notification(1, more))).toBe(false)
  })

  test('finds words in title and body, ignoring case', () => {
    expect(matches({ unread: false, q: 'DISK' }, notification(1))).toBe(true)
    expect(matches({ unread: true, q: 'Db01' }, notification(1))).toBe(true)
  })
})

describe('typed text in the body of a call', () => {
  test.each([
    [undefined, '{"text":"a \\"b\\""}'],
    ['{"channel": 7}', '{"channel":7,"text":"a \\"b\\""}'],
    ['{"say": "{{input}}!"}', '{"say": "a \\"b\\"!"}'],
    ['say {{input}}', 'say a "b"'],
    ['[1]', '{"text":"a \\"b\\""}'],
  ])('%j', (body, expected) => {
    expect(withText(body, 'a "b"')).toBe(expected)
  })

  test('dollar signs are kept', () => {
    expect(withText('{{input}}', '$& $1')).toBe('$& $1')
  })
})

describe('why a device did not get a push', () => {
  const device = (name: string, more: Partial<DeviceView> = {}): DeviceView => ({
    id: name,
    name,
    platform: 'ios',
    channel: 'apns',
    tags: [],
    created_at: '2026-11-01T08:00:00Z',
    last_seen_at: at,
    ...more,
  })
  const fates = (one: NotificationView, entries: Parameters<typeof deliveriesOf>[1], devices: DeviceView[]) =>
    deliveriesOf(one, entries, devices).map(({ device: name, state, words }) => [name, state, words])

  test('the last event of its push service counts', () => {
    const entries = [
      { at, event: 'accepted' as const },
      { at, event: 'push_sent' as const, device: 'Phone' },
      { at, event: 'retried' as const, device: 'Phone', detail: '503' },
      { at, event: 'push_accepted' as const, device: 'Phone' },
      { at, event: 'push_rejected' as const, device: 'Watch', detail: '410 Unregistered' },
      { at, event: 'answered' as const, device: 'Phone' },
    ]
    expect(fates(notification(1), entries, [device('Phone'), device('Watch')])).toEqual([
      ['Phone', 'arrived', 'Accepted by its push service.'],
      ['Watch', 'refused', 'The app was removed from this device, or notifications were switched off for it.'],
    ])
  })

  test('is explained for inbox-only notifications and for devices without a push address', () => {
    expect(fates(notification(1, { pushed: false }), [], [device('Phone')])[0]?.[2]).toContain('inbox only')
    expect(fates(notification(1), [], [device('Desk', { channel: 'stream' })])[0]?.[2]).toContain(
      'while it is connected',
    )
    expect(fates(notification(1), [], [device('New', { created_at: '2026-11-16T00:00:00Z' })])).toEqual([])
  })

  test('a device that was connected has got it, and a muted notification says so', () => {
    const accepted = [{ at, event: 'push_accepted' as const, device: 'Terminal' }]
    expect(fates(notification(1), accepted, [device('Terminal', { channel: 'stream' })])).toEqual([
      ['Terminal', 'arrived', 'Delivered: it was connected.'],
    ])
    const muted = [{ at, event: 'muted' as const, detail: 'until later' }]
    expect(fates(notification(1, { pushed: false }), muted, [device('Phone')])[0]?.[2]).toContain('muted')
  })

  test('a device that never connected says so, although one of the same name has got it', () => {
    const accepted = [{ at, event: 'push_accepted' as const, device: 'Pixel' }]
    const app = { platform: 'ntfy', channel: 'stream' } as const
    const waits = { ...app, created_at: '2026-11-02T08:00:00Z', last_seen_at: '2026-11-02T08:00:00Z' }
    expect(fates(notification(1), accepted, [device('Pixel', app), device('Pixel', waits)])).toEqual([
      ['Pixel', 'arrived', 'Delivered: it was connected.'],
      ['Pixel', 'silent', 'Not delivered: the app has never connected.'],
    ])
  })

  test('the result of a test says what its rows say', () => {
    const rows = (states: ('arrived' | 'refused' | 'trying' | 'silent')[]) =>
      states.map((state) => ({ device: 'Phone', state, words: '', entries: [] }))
    expect(resultOf(rows(['arrived', 'arrived']))).toBe('all')
    expect(resultOf(rows(['arrived', 'silent']))).toBe('partial')
    expect(resultOf(rows(['refused', 'silent']))).toBe('none')
    expect(resultOf(rows(['arrived', 'trying']))).toBe('underWay')
    expect(resultOf([])).toBe('none')
  })

  test('an unknown error is shown unchanged', () => {
    expect(pushErrorInWords('507 Strange')).toBe('Refused: 507 Strange')
  })
})
