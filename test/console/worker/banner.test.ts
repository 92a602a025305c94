// What the service worker shows of a push, in the words of the browser's Notification API.
import { describe, expect, test } from 'vitest'
import { tagOf, toActivityBanner, toBanner } from '../../../console/src/worker/banner.ts'
import type { ActivityMessage, NotificationMessage } from '../../../console/src/worker/push-message.ts'

const MESSAGE: NotificationMessage = {
  type: 'notification',
  notification_id: 7,
  title: 'Disk full',
  body: 'on db01',
  level: 'active',
  badge: 3,
  created_at: '2026-11-15T08:00:00Z',
}
const bannerOf = async (more: Partial<NotificationMessage> = {}) =>
  (await toBanner({ ...MESSAGE, ...more }, 'Quittieren')).options

describe('a notification', () => {
  test('has its text, its time and what its buttons need', async () => {
    const actions = [
      { id: 'yes', title: 'Deploy' },
      { id: 'no', title: 'Why not?', text_input: true, text_input_placeholder: 'Because' },
      { id: 'pw_ack', title: 'Acknowledge' },
    ]
    const sent = { subtitle: 'CI', url: 'https://example.org/', actions, answer_ticket: 'ticket' }
    const { title, options } = await toBanner({ ...MESSAGE, ...sent }, 'Quittieren')
    expect(title).toBe('Disk full')
    expect(options).toMatchObject({
      body: 'CI\non db01',
      tag: tagOf(7),
      timestamp: Date.parse('2026-11-15T08:00:00Z'),
      icon: '/app/icon-192.png',
      data: { notification_id: 7, url: 'https://example.org/', actions, answer_ticket: 'ticket' },
      actions: [
        { action: 'yes', title: 'Deploy' },
        { action: 'no', title: 'Why not?', type: 'text', placeholder: 'Because' },
        // In the language of the person, as it is no word of the sender.
        { action: 'pw_ack', title: 'Quittieren' },
      ],
    })
    expect((await bannerOf()).body).toBe('on db01')
  })

  test('is silent if it is passive or has no sound, and stays if it is critical', async () => {
    const looks = async (more: Partial<NotificationMessage>) => {
      const { silent, requireInteraction } = await bannerOf(more)
      return { silent, requireInteraction }
    }
    expect(await looks({})).toEqual({ silent: false, requireInteraction: false })
    expect(await looks({ level: 'passive' })).toEqual({ silent: true, requireInteraction: false })
    expect(await looks({ sound: 'none' })).toEqual({ silent: true, requireInteraction: false })
    expect(await looks({ level: 'time-sensitive', sound: 'bell' })).toEqual({
      silent: false,
      requireInteraction: false,
    })
    expect(await looks({ level: 'critical' })).toEqual({ silent: false, requireInteraction: true })
  })

  test('that replaces another one is heard again, unless it is passive', async () => {
    expect(await bannerOf({ tag: 'build' })).toMatchObject({ tag: 'build', renotify: true })
    expect(await bannerOf({ tag: 'build', level: 'passive' })).toMatchObject({ tag: 'build', renotify: false })
    expect(await bannerOf()).toMatchObject({ renotify: false })
  })

  test('shows a picture, and no video; it has the icon of its sender', async () => {
    const [picture, video] = (['image', 'video'] as const).map((type) => ({ url: `https://example.org/${type}`, type }))
    expect((await bannerOf({ media: picture })).image).toBe('https://example.org/image')
    expect((await bannerOf({ media: video })).image).toBeUndefined()
    expect((await bannerOf({ icon_url: 'https://example.org/icon' })).icon).toBe('https://example.org/icon')
  })
})

describe('an activity', () => {
  const ACTIVITY: ActivityMessage = {
    type: 'activity',
    event: 'update',
    tag: 'activity-1',
    id: 'a-uuid',
    slug: 'release',
    name: 'Release',
    content: {
      state: 'Ship v2?',
      subtitle: 'main',
      options: [
        { id: 'ship', title: 'Ship' },
        { id: 'log', title: 'Log', url: 'https://example.org/log' },
      ],
    },
  }

  test('is one banner; its answers need a ticket, and those with an address are no answers', () => {
    const { title, options } = toActivityBanner({ ...ACTIVITY, answer_ticket: 'ticket' })
    expect(title).toBe('Release')
    expect(options).toMatchObject({
      body: 'Ship v2?\nmain',
      tag: 'activity-1',
      data: { id: 'a-uuid', answer_ticket: 'ticket' },
      actions: [{ action: 'ship', title: 'Ship' }],
    })
    expect(toActivityBanner(ACTIVITY).options.actions).toEqual([])
  })

  test('is heard when it starts, and later only with a sound', () => {
    const heard = (more: Partial<ActivityMessage>) => {
      const { silent, renotify } = toActivityBanner({ ...ACTIVITY, ...more }).options
      return { silent, renotify }
    }
    expect(heard({ event: 'start' })).toEqual({ silent: false, renotify: false })
    expect(heard({})).toEqual({ silent: true, renotify: false })
    expect(heard({ sound: 'chime' })).toEqual({ silent: false, renotify: true })
    expect(heard({ event: 'end' })).toEqual({ silent: true, renotify: false })
  })
})
