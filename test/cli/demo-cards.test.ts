// What "heliograph serve --demo-device" prints of a message, and how it takes answers.
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { activityCard, answerableActions, notificationCard, widgetCard } from '../../src/cli/demo-device/cards.ts'
import type { NotificationView } from '../../src/contract/notifications/notification.ts'
import { useTestApp } from '../support/app.ts'

const app = useTestApp()

const linesOf = (card: string): string[] =>
  stripVTControlCharacters(card)
    .split('\n')
    .flatMap((line) => (line.startsWith('│') ? [line.slice(2)] : []))

test('a notification has its text without control characters, and a number for each answer', async () => {
  const user = await app.addUser()
  const actions = [
    { id: 'yes', title: 'Yes' },
    { id: 'log', title: 'Log', url: 'https://example.org/' },
    { id: 'why', title: 'Why?', text_input: true },
  ]
  const sent = { title: 'De\u001b[31mploy?', subtitle: 'CI', body: 'one\ntwo', source_display_name: 'Build', actions }
  const { body } = await app.post('/notifications', { ...sent, level: 'critical' }, user.token)
  const notification = body as NotificationView
  expect(linesOf(notificationCard(notification))).toEqual([
    'De·[31mploy?  Build · critical',
    'CI',
    'one',
    'two',
    '[1] Yes   [2] Why? …',
    'type a number to answer, and text after it where … stands',
  ])
  expect(answerableActions(notification).map(({ id }) => id)).toEqual(['yes', 'why'])
  expect(linesOf(notificationCard({ ...notification, actions: [], subtitle: undefined }))).toEqual([
    'De·[31mploy?  Build · critical',
    'one',
    'two',
  ])
})

test('a widget has its value with the unit and its rows, an activity its progress', async () => {
  const user = await app.addUser()
  const rows = [{ label: 'CPU', value: '12 %' }]
  const content = { template: 'value', value: 21.5, unit: '°C', label: 'Desk', subtitle: 'warm', stat_rows: rows }
  const widget = (await app.post('/widgets', { slug: 'office', name: 'Office', content }, user.token)).body
  expect(linesOf(widgetCard(widget))).toEqual(['Office  widget · value', '21.5 °C', 'Desk', 'warm', 'CPU  12 %'])
  const patch = {
    state: 'ongoing',
    content: { template: 'generic', state: 'Compiling', subtitle: 'main', progress: 0.25 },
  }
  const activity = (await app.patch('/activities/build?upsert=true', patch, user.token)).body
  expect(linesOf(activityCard(activity))).toEqual([
    'build  live activity · generic · ongoing',
    'Compiling',
    'main',
    '██████░░░░░░░░░░░░░░░░░░ 25 %',
  ])
})
