// A notification as Gotify's apps show it: text that becomes Markdown stays the text it was.
import { expect, test } from 'vitest'
import type { UserId } from '../../../../src/domain/caller.ts'
import { asMarkdown, shownInGotify, type ToShow } from '../../../../src/domain/doors/gotify/shown.ts'
import { instant } from '../../../../src/domain/instant.ts'
import type { Notification, NotificationId } from '../../../../src/domain/notifications/notification.ts'

test.each([
  [
    'a *b* _c_ `d` [e](f) <g> h|i ~j~ &k; \\l',
    'a \\*b\\* \\_c\\_ \\`d\\` \\[e\\](f) \\<g\\> h\\|i \\~j\\~ \\&k; \\\\l',
  ],
  ['# no heading', '\\# no heading'],
  ['- no list\n+ none\n1. none\n12) none', '\\- no list  \n\\+ none  \n1\\. none  \n12\\) none'],
  ['1.5 GB, -3 °C, #5', '1.5 GB, -3 °C, #5'],
  ['one\ntwo\n\nthree', 'one  \ntwo\n\nthree'],
])('plain text in Markdown: %j', (text, markdown) => {
  expect(asMarkdown(text)).toBe(markdown)
})

const NOTIFICATION: Notification = {
  id: 7 as NotificationId,
  userId: 'u' as UserId,
  keyId: null,
  title: 'Title',
  body: 'Body',
  level: 'active',
  pushed: true,
  createdAt: instant(0),
  readAt: null,
}
const shown = (members: Partial<Notification> = {}, more: Partial<ToShow> = {}) =>
  shownInGotify({
    notification: { ...NOTIFICATION, ...members },
    record: undefined,
    application: { number: 5, name: 'CI' },
    answerUrl: undefined,
    isAlert: false,
    isSilent: false,
    ...more,
  })

test('an alert sounds, whatever its level; what shall be silent has at most priority 1', () => {
  expect(shown({}, { isAlert: true }).priority).toBe(8)
  expect(shown({ level: 'critical' }, { isAlert: true }).priority).toBe(10)
  expect(shown({ level: 'critical' }, { isSilent: true, isAlert: true }).priority).toBe(1)
  expect(shown({ sound: 'none' }).priority).toBe(1)
})

test('the message of a sender of Gotify keeps its text, priority and extras', () => {
  const extras = { 'client::display': { contentType: 'text/markdown' } }
  const record = { door: 'gotify' as const, channel: '5', message: { message: '**whole**', priority: 7, extras } }
  expect(shown({ body: 'cut…' }, { record })).toMatchObject({ title: 'CI', message: '**whole**', priority: 7, extras })
})

test('Markdown of the sender is not escaped; a subtitle is the first line', () => {
  const answerUrl = 'https://h.example/answers/t'
  const actions = [{ id: 'a', title: 'A*' }]
  expect(shown({ format: 'markdown', body: '**b**', subtitle: 'Sub', actions }, { answerUrl }).message).toBe(
    `Sub\n**b**\n\n[A\\*](${answerUrl})`,
  )
})
