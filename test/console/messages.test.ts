// The form for messages: what it sends, and what it changes of a schedule.
import { describe, expect, test } from 'vitest'
import {
  draftOf,
  isComplete,
  type MessageDraft,
  NEW_BUTTON,
  newDraft,
  PERSONAL,
  patchOf,
  placeOf,
  requestOf,
  toNotification,
} from '../../console/src/messages/draft.ts'
import type { ScheduleView } from '../../src/contract/schedules.ts'

const draft = (part: Partial<MessageDraft> = {}): MessageDraft => ({
  ...newDraft('now', 'org'),
  title: ' Disk full ',
  body: 'Line one\nline two',
  ...part,
})

describe('a new message', () => {
  test('sends only what was filled in', () => {
    expect(toNotification(draft())).toEqual({ title: 'Disk full', body: 'Line one\nline two' })
  })

  test('of a person has a source, so that the inbox can name its sender', () => {
    expect(newDraft('now').kept).toEqual({ source: 'console', source_display_name: 'Console' })
  })

  test('sends every field in the form of the API', () => {
    const full = draft({
      isMarkdown: true,
      level: 'critical',
      url: 'https://example.org',
      pictureUrl: 'https://example.org/a.png',
      buttons: [
        { ...NEW_BUTTON, title: 'Yes' },
        { ...NEW_BUTTON, title: ' ' },
        { ...NEW_BUTTON, title: 'Why?', asksText: true, isDestructive: true },
      ],
      repetition: { every: '120', atMost: '600', escalation: 'night' },
      isPushed: false,
      target: { groups: ['on-call'], tags: [], members: [] },
    })
    expect(toNotification(full)).toMatchObject({
      format: 'markdown',
      level: 'critical',
      url: 'https://example.org',
      media: { url: 'https://example.org/a.png', type: 'image' },
      actions: [
        { id: 'button-1', title: 'Yes' },
        { id: 'button-2', title: 'Why?', text_input: true, destructive: true },
      ],
      acknowledge: { repeat_seconds: 120, expire_seconds: 600, escalation: 'night' },
      push: false,
      target: { groups: ['on-call'] },
    })
  })

  test('is sent now to the inbox, or later as a schedule, for a person and for an organization', () => {
    expect(requestOf(draft(), PERSONAL).path).toBe('/notifications')
    const repeated = { ...newDraft('repeat').timing, timezone: 'Europe/Berlin' }
    expect(requestOf(draft({ timing: repeated }), placeOf('acme'))).toMatchObject({
      path: '/orgs/acme/notifications/scheduled',
      body: { recurrence: { cron: '0 8 * * 1-5', timezone: 'Europe/Berlin' } },
    })
  })

  test('is complete with title, text and time', () => {
    expect(isComplete(draft())).toBe(true)
    expect(isComplete(draft({ body: ' ' }))).toBe(false)
    expect(isComplete(draft({ timing: newDraft('once').timing }))).toBe(false)
  })
})

describe('a schedule that is changed', () => {
  const SCHEDULE: ScheduleView = {
    id: 7,
    status: 'scheduled',
    created_at: '2026-11-01T00:00:00Z',
    send_at: '2026-11-16T08:20:30Z',
    title: 'Stand-up',
    body: 'Room 2',
    source: 'calendar',
    metadata: { room: '2' },
    actions: [{ id: 'button-1', title: 'Coming', icon: 'check' }],
    acknowledge: { repeat_seconds: 45, action_title: 'Seen' },
    recurrence: { cron: '20 9 * * MON-FRI', timezone: 'Europe/Berlin', count: 9 },
  }

  test('keeps everything that nobody touched, also what has no field', () => {
    expect(patchOf(SCHEDULE, draftOf({ ...SCHEDULE, acknowledge: undefined }))).toEqual({ acknowledge: null })
    const kept: ScheduleView = {
      ...SCHEDULE,
      level: 'active',
      push: true,
      acknowledge: { repeat_seconds: 45, expire_seconds: 3600, action_title: 'Seen' },
    }
    expect(patchOf(kept, draftOf(kept))).toBeUndefined()
  })

  test('sends what was changed, and null for what was removed', () => {
    const { buttons, timing, ...rest } = draftOf(SCHEDULE)
    const changed = {
      ...rest,
      body: 'Room 3',
      repetition: undefined,
      buttons: [...buttons, { ...NEW_BUTTON, title: 'Late' }],
      timing: { ...timing, pattern: { ...timing.pattern, time: '09:30' } },
    }
    expect(patchOf(SCHEDULE, changed)).toEqual({
      body: 'Room 3',
      acknowledge: null,
      actions: [
        { id: 'button-1', title: 'Coming', icon: 'check' },
        { id: 'button-2', title: 'Late' },
      ],
      recurrence: { cron: '30 9 * * 1-5', timezone: 'Europe/Berlin', count: 9 },
    })
  })

  test('keeps the seconds of a single send that was not moved, and takes a new time', () => {
    const once = { ...SCHEDULE, recurrence: undefined, acknowledge: undefined }
    const same = draftOf(once)
    expect(patchOf(once, same)).toBeUndefined()
    const moved = { ...same, timing: { ...same.timing, sendAt: '2026-12-01T10:00' } }
    expect(patchOf(once, moved)).toEqual({ send_at: new Date('2026-12-01T10:00').toISOString() })
  })
})
