// Drafting a notification from a request, and the rules that its schema does not express.
import { describe, expect, test } from 'vitest'
import type { NotificationAction, NotificationInput } from '../../../src/contract/notifications/notification.ts'
import { Problem } from '../../../src/contract/problems.ts'
import { isAnswerable } from '../../../src/domain/answers/answer.ts'
import { draftNotification, textInputViolations } from '../../../src/domain/notifications/draft.ts'

const least = { title: 'Door', body: 'It is open.' }
const ENVELOPE = `pw1.0123abcd.${'A'.repeat(40)}`

// The code, status and locations of a refusal; undefined when the attempt succeeds.
function refusal(attempt: () => unknown): { code: string; status: number; locations: string[] } | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const locations = (error.members.errors ?? []).map((violation) => violation.location)
    return { code: error.code, status: error.status, locations }
  }
}

const draftRefusal = (input: NotificationInput) => refusal(() => draftNotification(input))
const invalid = (...locations: string[]) => ({ code: 'notification.invalid', status: 400, locations })
const misshapen = (...locations: string[]) => ({ code: 'request.validation_failed', status: 422, locations })

describe('a draft', () => {
  test('has every member of the request, under its internal name', () => {
    const action = { id: 'open', title: 'Open', url: 'https://example.com/hook', method: 'pOsT', headers: { A: '' } }
    const draft = draftNotification({
      ...least,
      subtitle: 'Front',
      level: 'critical',
      volume: 0,
      thread_id: 'doors',
      collapse_id: 'front-door',
      source: 'ha',
      source_display_name: 'Home Assistant',
      url: 'homeassistant://navigate',
      media: { url: 'https://example.com/a.png', type: 'image' },
      actions: [action],
      icon_url: 'http://192.168.1.2/i.png',
      metadata: { run: '12', empty: '' },
      activity_slug: 'door',
      push: false,
    })
    expect(JSON.parse(JSON.stringify(draft))).toStrictEqual({
      ...least,
      subtitle: 'Front',
      level: 'critical',
      volume: 0,
      threadId: 'doors',
      source: 'ha',
      sourceDisplayName: 'Home Assistant',
      url: 'homeassistant://navigate',
      media: { url: 'https://example.com/a.png', type: 'image' },
      actions: [{ ...action, method: 'POST' }],
      iconUrl: 'http://192.168.1.2/i.png',
      metadata: { run: '12', empty: '' },
      activitySlug: 'door',
    })
    expect(action.method).toBe('pOsT')
  })

  test('counts "", null and empty collections as absent', () => {
    const input: NotificationInput = {
      ...least,
      subtitle: '',
      thread_id: '',
      collapse_id: '',
      source: '',
      source_display_name: '',
      url: '',
      icon_url: '',
      activity_slug: '',
      encrypted: '',
      callback_url: '',
      actions: null,
      metadata: {},
      acknowledge: null,
      tags: [],
    }
    const active = { ...least, level: 'active' }
    expect(JSON.parse(JSON.stringify(draftNotification(input)))).toStrictEqual(active)
    expect(JSON.parse(JSON.stringify(draftNotification({ ...least, actions: [] })))).toStrictEqual(active)
  })

  test('counts "" as absent in actions too, so that an action with an empty url can be answered', () => {
    const action = { id: 'a', title: 'A', icon: '', url: '', body: '', text_input_placeholder: '' }
    const draft = draftNotification({ ...least, actions: [{ ...action, text_input_button_title: '' }] })
    expect(draft.actions).toStrictEqual([{ id: 'a', title: 'A' }])
    expect(isAnswerable(draft)).toBe(true)
  })

  test('keeps the volume only at level critical', () => {
    expect(draftNotification({ ...least, level: 'critical', volume: 0.5 }).volume).toBe(0.5)
    expect(draftNotification({ ...least, level: 'time-sensitive', volume: 0.5 }).volume).toBeUndefined()
    expect(draftNotification({ ...least, volume: 0.5 }).volume).toBeUndefined()
  })
})

describe('title and body', () => {
  test('are required, both of them, and not empty', () => {
    expect(draftRefusal({})).toEqual(misshapen('body.title', 'body.body'))
    expect(draftRefusal({ title: 'x' })).toEqual(misshapen('body.body'))
    expect(draftRefusal({ title: '', body: 'x' })).toEqual(misshapen('body.title'))
    expect(draftRefusal({ ...least, encrypted: '', body: '' })).toEqual(misshapen('body.body'))
    expect(draftRefusal({ title: ' ', body: ' ' })).toBeUndefined()
  })

  test('are placeholders when there is an envelope', () => {
    const draft = draftNotification({ encrypted: ENVELOPE, title: '', subtitle: '', body: '', url: '' })
    expect(JSON.parse(JSON.stringify(draft))).toStrictEqual({
      title: 'Encrypted notification',
      body: 'End-to-end encrypted.',
      level: 'active',
      encrypted: ENVELOPE,
    })
  })

  test.each(['title', 'body', 'subtitle', 'url'])('%s is refused together with an envelope', (name) => {
    expect(draftRefusal({ encrypted: ENVELOPE, [name]: 'app://x' })).toEqual(invalid(`body.${name}`))
  })

  test('an envelope must have a valid form', () => {
    expect(draftRefusal({ encrypted: 'pw1.sealed-elsewhere' })).toEqual(invalid('body.encrypted'))
  })
})

describe('urls', () => {
  const media = (url: string) => ({ media: { url, type: 'image' as const } })

  test.each<[string, object]>([
    ['a custom scheme to open', { url: 'homeassistant://navigate' }],
    ['https media', media('HTTPS://example.com/a.png')],
    ['an https icon', { icon_url: 'https://example.com/i.png' }],
    ['an http icon', { icon_url: 'http://nas/i.png' }],
  ])('accept %s', (_what, member) => {
    expect(draftRefusal({ ...least, ...member })).toBeUndefined()
  })

  test.each<[string, object, string]>([
    ['a script to open', { url: 'javascript:alert(1)' }, 'body.url'],
    ['a path to open', { url: '/path' }, 'body.url'],
    ['http without a host', { url: 'http://' }, 'body.url'],
    ['http media', media('http://example.com/a.png'), 'body.media.url'],
    ['media of a custom scheme', media('photos://1'), 'body.media.url'],
    ['media without a host', media('https:///a.png'), 'body.media.url'],
    ['media without a url', media(''), 'body.media.url'],
    ['media hidden by control characters', media('ht\u0001tps://example.com'), 'body.media.url'],
    ['an icon in the url itself', { icon_url: 'data:image/png;base64,AAAA' }, 'body.icon_url'],
    ['an icon of a custom scheme', { icon_url: 'app://icon' }, 'body.icon_url'],
  ])('refuse %s', (_what, member, location) => {
    expect(draftRefusal({ ...least, ...member })).toEqual(invalid(location))
  })
})

describe('actions', () => {
  const withActions = (...actions: NotificationAction[]) => draftRefusal({ ...least, actions })
  const ok = { id: 'ok', title: 'OK' }

  test('must have unique ids, and each duplicate is reported', () => {
    expect(withActions(ok, { ...ok, id: 'OK' })).toBeUndefined()
    expect(withActions(ok, { ...ok, id: 'no' }, ok, ok)).toEqual(invalid('body.actions[2].id', 'body.actions[3].id'))
  })

  test('may not use the id pw_ack', () => {
    expect(withActions({ ...ok, id: 'pw_ack' })).toEqual(invalid('body.actions[0].id'))
  })

  test('follow the same rules for urls and requests as all actions', () => {
    const request = { method: 'POST', headers: { A: 'b' }, body: '{}' }
    expect(withActions({ ...ok, url: 'https://example.com', ...request })).toBeUndefined()
    expect(withActions(ok, { ...ok, id: 'x', url: 'DATA:text/html,x' })).toEqual(invalid('body.actions[1].url'))
    expect(withActions({ ...ok, url: 'app://x', ...request })).toEqual(
      invalid('body.actions[0].method', 'body.actions[0].headers', 'body.actions[0].body'),
    )
  })

  test('without a url still have limits on their headers', () => {
    expect(withActions({ ...ok, headers: { A: 'b'.repeat(1023) } })).toBeUndefined()
    expect(withActions({ ...ok, headers: { A: 'b'.repeat(1024) } })).toEqual(invalid('body.actions[0].headers'))
    expect(withActions({ ...ok, headers: { 'A B': 'c' } })).toEqual(invalid('body.actions[0].headers'))
  })

  test('may ask for text only if a request or an answer can carry it', () => {
    const label = { text_input_placeholder: 'Reply', text_input_button_title: 'Send' }
    const violations = (action: object) =>
      textInputViolations('body.actions[0]', { ...ok, ...action }).map((violation) => violation.location)
    const misplaced = ['body.actions[0].text_input']
    expect(violations({ text_input: true, ...label })).toEqual([])
    expect(violations({ text_input: true, url: 'HTTP://nas/hook', foreground: false })).toEqual([])
    expect(violations({ text_input: false, url: 'app://x', foreground: true })).toEqual([])
    expect(violations({ text_input: true, foreground: true })).toEqual(misplaced)
    expect(violations({ text_input: true, foreground: true, url: 'https://example.com' })).toEqual(misplaced)
    expect(violations({ text_input: true, url: 'app://x' })).toEqual(misplaced)
    const labels = ['body.actions[0].text_input_placeholder', 'body.actions[0].text_input_button_title']
    expect(violations(label)).toEqual(labels)
    expect(violations({ text_input: false, ...label })).toEqual(labels)
    expect(withActions({ ...ok, text_input: true, foreground: true })).toEqual(invalid(...misplaced))
  })
})

describe('metadata', () => {
  const withMetadata = (metadata: Record<string, string>) => draftRefusal({ ...least, metadata })
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))

  test('has at most 20 keys', () => {
    expect(withMetadata(pairs(20))).toBeUndefined()
    expect(withMetadata(pairs(21))).toEqual(invalid('body.metadata'))
  })

  test('has keys of at most 64 characters, and a longer key is not repeated in the error', () => {
    expect(withMetadata({ ['😀'.repeat(64)]: 'v' })).toBeUndefined()
    expect(withMetadata({ ['k'.repeat(65)]: 'v' })).toEqual(invalid('body.metadata'))
  })

  test('has values of at most 4096 characters', () => {
    expect(withMetadata({ a: 'ä'.repeat(4095) })).toBeUndefined()
    expect(withMetadata({ a: 'x', b: 'x'.repeat(4097) })).toEqual(invalid('body.metadata.b'))
    expect(withMetadata({ a: 'x'.repeat(4096) })).toBeUndefined()
  })

  test('has at most 8 KB of keys and values, counted in bytes', () => {
    const half = 'x'.repeat(4095)
    expect(withMetadata({ a: half, b: half })).toBeUndefined()
    expect(withMetadata({ a: half, b: half, '': 'x' })).toEqual(invalid('body.metadata'))
    expect(withMetadata({ a: 'ä'.repeat(4096) })).toEqual(invalid('body.metadata'))
  })
})

describe('unavailable members', () => {
  test('target is refused: it is for organizations', () => {
    expect(draftRefusal({ ...least, target: {} })).toMatchObject({ code: 'org.target_unavailable', status: 422 })
  })
})

test('a refusal lists every violation in one problem', () => {
  const input: NotificationInput = {
    encrypted: 'x',
    title: 'x',
    media: { url: 'http://x.y', type: 'video' },
    icon_url: 'x',
    actions: [{ id: 'a', title: 'A', text_input_placeholder: 'x' }],
    metadata: { ['k'.repeat(65)]: 'x' },
    tags: ['x'],
  }
  expect(draftRefusal(input)).toEqual(
    invalid(
      'body.encrypted',
      'body.title',
      'body.media.url',
      'body.icon_url',
      'body.actions[0].text_input_placeholder',
      'body.metadata',
      'body.tags',
    ),
  )
  expect(() => draftNotification(input)).toThrow(/^body\.encrypted must .+ \(and 6 more; see errors\)\.$/)
})
