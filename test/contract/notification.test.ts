// What the schemas of notifications and answers accept.
import { describe, expect, test } from 'vitest'
import { AnswerInput } from '../../src/contract/answers.ts'
import { NotificationQuery, ReadInput } from '../../src/contract/notifications/inbox.ts'
import { NotificationInput } from '../../src/contract/notifications/notification.ts'
import { type Check, compileCheck } from '../../src/contract/validation.ts'

const locations = (check: Check, value: unknown) => check(value).map((violation) => violation.location)
const checkInput = compileCheck(NotificationInput, 'body')
const least = { title: 'Door', body: 'It is open.' }
const texts = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)

const REPEAT = 'acknowledge.repeat_seconds'
const EXPIRE = 'acknowledge.expire_seconds'
const acknowledge = (name: string, value: unknown): object => ({ acknowledge: { [name]: value } })

const atMost = (name: string, chars: number): [string, object, object, string] => [
  `${name} to ${chars}`,
  { [name]: '😀'.repeat(chars) },
  { [name]: '😀'.repeat(chars + 1) },
  name,
]

describe('POST /notifications', () => {
  test.each<[string, object, object, string]>([
    atMost('title', 256),
    atMost('body', 4096),
    atMost('subtitle', 256),
    atMost('thread_id', 128),
    atMost('collapse_id', 64),
    atMost('source', 128),
    atMost('source_display_name', 256),
    atMost('url', 2048),
    atMost('icon_url', 2048),
    atMost('callback_url', 2048),
    atMost('encrypted', 3072),
    ['title is text', {}, { title: null }, 'title'],
    ['subtitle is text', { subtitle: '' }, { subtitle: null }, 'subtitle'],
    ['level', { level: 'time-sensitive' }, { level: 'urgent' }, 'level'],
    ['level is not unset by ""', { level: 'passive' }, { level: '' }, 'level'],
    ['volume from 0', { volume: 0 }, { volume: -0.1 }, 'volume'],
    ['volume to 1', { volume: 1 }, { volume: 1.01 }, 'volume'],
    ['volume is finite', { volume: 0.5 }, { volume: Number.POSITIVE_INFINITY }, 'volume'],
    ['push is true or false', { push: false }, { push: 'false' }, 'push'],
    ['activity_slug to 128', { activity_slug: 'a'.repeat(128) }, { activity_slug: 'a'.repeat(129) }, 'activity_slug'],
    ['activity_slug is a slug', { activity_slug: '' }, { activity_slug: '-a' }, 'activity_slug'],
    ['media.type', { media: { url: 'x', type: 'audio' } }, { media: { url: 'x', type: 'pdf' } }, 'media.type'],
    ['media.url is required', { media: { url: '', type: 'image' } }, { media: { type: 'image' } }, 'media.url'],
    [
      'media.url to 2048',
      { media: { url: 'x'.repeat(2048), type: 'image' } },
      { media: { url: 'x'.repeat(2049), type: 'image' } },
      'media.url',
    ],
    ['metadata values are text', { metadata: { a: '' } }, { metadata: { a: 1 } }, 'metadata.a'],
    ['metadata is an object', { metadata: {} }, { metadata: ['a'] }, 'metadata'],
    ['actions may be null', { actions: null }, { actions: {} }, 'actions'],
    ['repeat_seconds from 30', acknowledge('repeat_seconds', 30), acknowledge('repeat_seconds', 29), REPEAT],
    ['repeat_seconds to 3600', acknowledge('repeat_seconds', 3600), acknowledge('repeat_seconds', 3601), REPEAT],
    ['repeat_seconds is whole', acknowledge('repeat_seconds', 60), acknowledge('repeat_seconds', 60.5), REPEAT],
    ['expire_seconds from 60', acknowledge('expire_seconds', 60), acknowledge('expire_seconds', 59), EXPIRE],
    ['expire_seconds to 10800', acknowledge('expire_seconds', 10_800), acknowledge('expire_seconds', 10_801), EXPIRE],
    [
      'action_title to 64',
      acknowledge('action_title', 'x'.repeat(64)),
      acknowledge('action_title', 'x'.repeat(65)),
      'acknowledge.action_title',
    ],
    ['acknowledge may be null', { acknowledge: null }, { acknowledge: true }, 'acknowledge'],
    ['acknowledge has no other member', { acknowledge: {} }, acknowledge('sound', 'x'), 'acknowledge.sound'],
    ['tags to 10', { tags: texts(10) }, { tags: texts(11) }, 'tags'],
    ['tags are text', { tags: [] }, { tags: [1] }, 'tags[0]'],
    ['target.groups to 20', { target: { groups: texts(20) } }, { target: { groups: texts(21) } }, 'target.groups'],
    ['target.tags to 20', { target: { tags: texts(20) } }, { target: { tags: texts(21) } }, 'target.tags'],
    [
      'target.members to 100',
      { target: { members: texts(100) } },
      { target: { members: texts(101) } },
      'target.members',
    ],
    ['target has no other member', { target: {} }, { target: { everyone: true } }, 'target.everyone'],
    ['no other member', {}, { priority: 1 }, 'priority'],
  ])('%s', (_rule, accepted, refused, location) => {
    expect(locations(checkInput, { ...least, ...accepted })).toEqual([])
    expect(locations(checkInput, { ...least, ...refused })).toEqual([`body.${location}`])
  })

  test('every violation is listed', () => {
    const body = { title: 'x'.repeat(257), level: 'loud', actions: [{ id: 'a' }, { title: 'b', url: 1 }], push: 1 }
    expect(locations(checkInput, body).sort()).toEqual([
      'body.actions[0].title',
      'body.actions[1].id',
      'body.actions[1].url',
      'body.level',
      'body.push',
      'body.title',
    ])
  })

  test('an envelope that is too long is not repeated in the error', () => {
    expect(checkInput({ encrypted: 'x'.repeat(3073) })).toEqual([
      { location: 'body.encrypted', message: 'must have at most 3072 characters' },
    ])
  })
})

describe('actions of POST /notifications', () => {
  const locationsOf = (...actions: object[]) => locations(checkInput, { ...least, actions })
  const action = { id: 'ok', title: 'OK' }

  test('are at most ten', () => {
    const many = (count: number) => texts(count).map((id) => ({ ...action, id }))
    expect(locationsOf(...many(10))).toEqual([])
    expect(locationsOf(...many(11))).toEqual(['body.actions'])
  })

  test.each<[string, object, object]>([
    ['id', { id: 'x'.repeat(64) }, { id: 'x'.repeat(65) }],
    ['id', { id: 'x' }, { id: '' }],
    ['title', { title: 'x'.repeat(64) }, { title: 'x'.repeat(65) }],
    ['title', { title: 'x' }, { title: '' }],
    ['icon', { icon: 'x'.repeat(64) }, { icon: 'x'.repeat(65) }],
    ['icon', { icon: '' }, { icon: null }],
    ['url', { url: 'x'.repeat(2048) }, { url: 'x'.repeat(2049) }],
    ['method', { method: 'dElEtE' }, { method: 'FETCH' }],
    ['headers', { headers: { A: 'b' } }, { headers: 'A: b' }],
    ['headers.A', { headers: {} }, { headers: { A: 1 } }],
    ['body', { body: 'x'.repeat(1024) }, { body: 'x'.repeat(1025) }],
    ['foreground', { foreground: true }, { foreground: 'yes' }],
    ['destructive', { destructive: false }, { destructive: 0 }],
    ['authentication_required', { authentication_required: true }, { authentication_required: 'x' }],
    ['text_input', { text_input: true }, { text_input: {} }],
    ['text_input_placeholder', { text_input_placeholder: 'x'.repeat(64) }, { text_input_placeholder: 'x'.repeat(65) }],
    [
      'text_input_button_title',
      { text_input_button_title: 'x'.repeat(64) },
      { text_input_button_title: 'x'.repeat(65) },
    ],
    ['style', {}, { style: 'bold' }],
  ])('%s', (name, accepted, refused) => {
    expect(locationsOf({ ...action, ...accepted })).toEqual([])
    expect(locationsOf({ ...action, ...refused })).toEqual([`body.actions[0].${name}`])
  })
})

describe('GET /notifications', () => {
  const checkQuery = compileCheck(NotificationQuery, 'query')

  test.each<[string, object, object]>([
    ['limit', { limit: '1' }, { limit: '0' }],
    ['limit', { limit: '100' }, { limit: '101' }],
    ['cursor', { cursor: 'x' }, { cursor: '' }],
    ['unread', { unread: 'true' }, { unread: 'yes' }],
    ['source', { source: 'x'.repeat(128) }, { source: 'x'.repeat(129) }],
    ['thread_id', { thread_id: 'x'.repeat(128) }, { thread_id: 'x'.repeat(129) }],
    ['level', { level: 'critical' }, { level: 'high' }],
    ['since', { since: '2026-11-15T08:30:00+01:00' }, { since: '2026-11-15' }],
    ['until', { until: '2026-11-15T08:30:00Z' }, { until: '2026-02-30T08:30:00Z' }],
    ['q', { q: 'x'.repeat(256) }, { q: 'x'.repeat(257) }],
    ['q', { q: 'ü' }, { q: '' }],
    ['q', { q: 'a\nb' }, { q: 'a\u0000b' }],
  ])('%s', (name, accepted, refused) => {
    expect(locations(checkQuery, accepted)).toEqual([])
    expect(locations(checkQuery, refused)).toEqual([`query.${name}`])
  })

  test('a page has 50 items by default', () => {
    const query = {}
    expect(checkQuery(query)).toEqual([])
    expect(query).toEqual({ limit: 50 })
  })
})

describe('POST /notifications/read', () => {
  const checkRead = compileCheck(ReadInput, 'body')
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  test('accepts up to 100 ids, or all', () => {
    expect(checkRead({ ids: ids(100) })).toEqual([])
    expect(checkRead({ ids: [Number.MAX_SAFE_INTEGER] })).toEqual([])
    expect(checkRead({ all: true })).toEqual([])
  })

  test.each<[string, object, string]>([
    ['neither', {}, 'body'],
    ['all: false', { all: false }, 'body.all'],
    ['101 ids', { ids: ids(101) }, 'body.ids'],
    ['0', { ids: [0] }, 'body.ids[0]'],
    ['a fraction', { ids: [1, 1.5] }, 'body.ids[1]'],
    ['an unsafe integer', { ids: [1e300] }, 'body.ids[0]'],
    ['text', { ids: ['1'] }, 'body.ids[0]'],
    ['another member', { notifications: [1] }, 'body.notifications'],
  ])('refuses %s', (_what, body, location) => {
    expect(locations(checkRead, body)).toEqual([location])
  })
})

describe('POST /notifications/{id}/answer', () => {
  const checkAnswer = compileCheck(AnswerInput, 'body')

  test.each<[string, object, object]>([
    ['action_id', { action_id: 'x'.repeat(64) }, { action_id: 'x'.repeat(65) }],
    ['action_id', { action_id: 'x' }, { action_id: '' }],
    ['text', { text: '😀'.repeat(4096) }, { text: '😀'.repeat(4097) }],
    ['text', { text: '' }, { text: null }],
    ['device_id', { device_id: 'x'.repeat(128) }, { device_id: 'x'.repeat(129) }],
    ['device_id', { device_id: 'x' }, { device_id: '' }],
    ['status', {}, { status: 'answered' }],
  ])('%s', (name, accepted, refused) => {
    expect(locations(checkAnswer, { action_id: 'ok', ...accepted })).toEqual([])
    expect(locations(checkAnswer, { action_id: 'ok', ...refused })).toEqual([`body.${name}`])
  })

  test('action_id is required', () => {
    expect(locations(checkAnswer, {})).toEqual(['body.action_id'])
  })
})
