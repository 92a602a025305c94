// Which notifications may ask for an acknowledgement, and with which settings.
import { describe, expect, test } from 'vitest'
import type { NotificationAction, NotificationInput } from '../../../src/contract/notifications/notification.ts'
import { Problem } from '../../../src/contract/problems.ts'
import { acknowledgementOf, type CallbackRules } from '../../../src/domain/notifications/acknowledge.ts'
import { draftNotification } from '../../../src/domain/notifications/draft.ts'

const least: NotificationInput = { title: 'Fire', body: 'in the server room', acknowledge: {} }
const byKey: CallbackRules = { isKey: true, outboundAllow: [] }
const calling = (id: string): NotificationAction => ({ id, title: id, url: 'https://example.com' })
const opening: NotificationAction = { id: 'open', title: 'Open', foreground: true }
const silent: NotificationAction = { id: 'ok', title: 'OK' }

function wrongAt(members: Partial<NotificationInput>, rules = byKey): string[] {
  try {
    draftNotification({ ...least, ...members }, rules)
    return []
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'notification.invalid') throw error
    return (error.members.errors ?? []).map(({ location }) => location)
  }
}

const actionsOf = (members: Partial<NotificationInput>) => draftNotification({ ...least, ...members }).actions

describe('the Acknowledge button', () => {
  test("is added when no action is recorded here, with the sender's title if given", () => {
    expect(actionsOf({})).toEqual([{ id: 'pw_ack', title: 'Acknowledge' }])
    expect(actionsOf({ acknowledge: { action_title: 'On it' } })).toEqual([{ id: 'pw_ack', title: 'On it' }])
    expect(actionsOf({ acknowledge: { action_title: '' } })).toEqual([{ id: 'pw_ack', title: 'Acknowledge' }])
    expect(actionsOf({ actions: [calling('a'), opening] })?.map(({ id }) => id)).toEqual(['a', 'open', 'pw_ack'])
  })

  test('is not added when another action is recorded here', () => {
    expect(actionsOf({ actions: [silent, calling('a')] })).toEqual([silent, calling('a')])
    expect(actionsOf({ acknowledge: null })).toBeUndefined()
  })

  test('needs a free place among ten actions, unless one of them is recorded here', () => {
    const others = (count: number) => Array.from({ length: count }, (_, index) => calling(`a${index}`))
    expect(wrongAt({ actions: others(9) })).toEqual([])
    expect(wrongAt({ actions: others(10) })).toEqual(['body.actions'])
    expect(wrongAt({ actions: [...others(9), silent] })).toEqual([])
    expect(wrongAt({ actions: others(10), acknowledge: null })).toEqual([])
  })

  test('has an id that senders may not use', () => {
    expect(wrongAt({ actions: [{ id: 'pw_ack', title: 'A' }] })).toEqual(['body.actions[0].id'])
  })
})

describe('acknowledge', () => {
  test('has defaults, and duplicate tags are removed', () => {
    expect(acknowledgementOf(least)).toEqual({ repeatSeconds: 60, tags: [] })
    const all = { repeat_seconds: 30, expire_seconds: 10_800 }
    const tags = ['b', 'a', 'b', 'c', 'a']
    expect(acknowledgementOf({ ...least, acknowledge: all, tags, callback_url: 'https://example.com' })).toEqual({
      repeatSeconds: 30,
      expireSeconds: 10_800,
      tags: ['b', 'a', 'c'],
      callback: { url: 'https://example.com' },
    })
    expect(acknowledgementOf({ ...least, callback_url: '' })?.callback).toBeUndefined()
    expect(acknowledgementOf({ ...least, acknowledge: null })).toBeUndefined()
  })

  test('R29 is refused for notifications that are not pushed or are passive', () => {
    expect(wrongAt({ push: false })).toEqual(['body.acknowledge'])
    expect(wrongAt({ level: 'passive' })).toEqual(['body.acknowledge'])
    expect(wrongAt({ push: true, level: 'critical' })).toEqual([])
  })

  test('is required for tags and callback_url', () => {
    const acknowledge = null
    expect(wrongAt({ acknowledge, tags: ['x'] })).toEqual(['body.tags'])
    expect(wrongAt({ acknowledge, callback_url: 'https://example.com' })).toEqual(['body.callback_url'])
    expect(wrongAt({ acknowledge, tags: [], callback_url: '' })).toEqual([])
  })
})

describe('tags', () => {
  test.each(['a', '!', '~', '"\\%_', 'x'.repeat(64)])('%j is accepted', (tag) => {
    expect(wrongAt({ tags: [tag] })).toEqual([])
  })

  test.each(['', ' ', 'a b', 'ä', 'a\n', '\u007f', 'x'.repeat(65)])('%j is refused', (tag) => {
    expect(wrongAt({ tags: ['ok', tag] })).toEqual(['body.tags[1]'])
  })
})

describe('callback_url', () => {
  test.each(['https://example.com', 'https://example.com:8443/hook?x=1'])('%s is accepted', (callback_url) => {
    expect(wrongAt({ callback_url })).toEqual([])
  })

  test.each([
    'http://example.com',
    'https://user@example.com',
    'https://:secret@example.com',
    'https://',
    'example.com/hook',
    'app://hook',
    'javascript:alert(1)',
    'https://127.0.0.1',
    'https://[::1]/',
    'https://10.1.2.3',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1',
    'https://224.0.0.1',
    'https://example.com:25',
  ])('R33 %s is refused', (callback_url) => {
    expect(wrongAt({ callback_url })).toEqual(['body.callback_url'])
  })

  test('a private address is accepted if the operator allows it', () => {
    const rules = { isKey: true, outboundAllow: ['10.0.0.0/8'] }
    expect(wrongAt({ callback_url: 'https://10.1.2.3' }, rules)).toEqual([])
    expect(wrongAt({ callback_url: 'https://127.0.0.1' }, rules)).toEqual(['body.callback_url'])
  })

  test('is refused without an integration key, whose secret signs callbacks', () => {
    const callback_url = 'https://example.com'
    expect(wrongAt({ callback_url }, { isKey: false, outboundAllow: [] })).toEqual(['body.callback_url'])
  })
})

test('a refusal lists every violation', () => {
  const members = { push: false, level: 'passive', tags: [' '], callback_url: 'http://x', icon_url: 'x' } as const
  expect(wrongAt({ ...members, tags: [...members.tags] })).toEqual([
    'body.icon_url',
    'body.acknowledge',
    'body.acknowledge',
    'body.tags[0]',
    'body.callback_url',
  ])
})
