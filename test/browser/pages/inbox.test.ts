// What a person does with notifications, in the list and on the page of one.
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { useConsole } from '../../support/browser/console-page.ts'
import { eventually } from '../../support/eventually.ts'
import { nightlyTest } from '../../support/nightly.ts'

const app = useTestApp()
const openPage = useConsole(app)
// For what is not about the list.
let reader: TestUser

beforeAll(async () => {
  reader = await app.addUser()
})

const send = async (user: TestUser, message: object = {}, token = user.token): Promise<number> =>
  (await app.post('/notifications', { title: 'T', body: 'B', ...message }, token)).body.id
const listed = async (user: TestUser, query = '') => (await app.get(`/notifications${query}`, user.token)).body.items
const answerTo = async (id: number) => (await app.get(`/notifications/answers/${id}`, reader.token)).body

describe('the buttons of a notification', () => {
  test('the first is prominent, a destructive one is red and asks before it answers', async () => {
    const actions = [
      { id: 'keep', title: 'Keep it' },
      { id: 'later', title: 'Later' },
      { id: 'drop', title: 'Drop it', destructive: true },
    ]
    const id = await send(reader, { title: 'Old table', actions })
    const page = await openPage(reader, `n/${id}`)
    const looks = await Promise.all(actions.map(async ({ title }) => (await page.button(title, '.detail')).look))
    expect(looks).toEqual(['primary', 'plain', 'danger'])
    await page.press('Drop it', '.detail')
    await page.see('“Drop it”?')
    expect((await page.button('Drop it', '.dialog')).look).toBe('danger')
    await page.press('Cancel', '.dialog')
    expect(await answerTo(id)).toMatchObject({ status: 'pending' })
    await page.press('Drop it', '.detail')
    await page.press('Drop it', '.dialog')
    await page.see(/Answered: Drop it · /)
    expect(await answerTo(id)).toMatchObject({ status: 'answered', action_id: 'drop' })
    // Who answers has read it.
    const read = expect.objectContaining({ id, read_at: expect.any(String) })
    await eventually(async () => expect(await listed(reader)).toContainEqual(read))
  })

  test('one for text takes a reply that is not empty, with the words of its sender', async () => {
    const field = { text_input: true, text_input_placeholder: 'When?', text_input_button_title: 'Tell them' }
    const id = await send(reader, { actions: [{ id: 'no', title: 'Not now', ...field }] })
    const page = await openPage(reader, `n/${id}`)
    await page.press('Not now', '.detail')
    expect(await page.attribute('Not now', 'placeholder')).toBe('When?')
    expect((await page.button('Tell them')).isDisabled).toBe(true)
    await page.fill('Not now', 'after lunch')
    await page.press('Tell them')
    await page.see('after lunch')
    expect(await answerTo(id)).toMatchObject({ action_id: 'no', text: 'after lunch' })
  })

  nightlyTest('those with an address open it in a window of its own and answer nothing; so does the link', async () => {
    const actions = [
      { id: 'yes', title: 'Yes' },
      { id: 'log', title: 'Log', url: 'https://example.org/log', foreground: true },
      { id: 'app', title: 'App', url: 'my-app://x', foreground: true },
    ]
    const id = await send(reader, { actions, url: 'https://example.org/page' })
    const page = await openPage(reader, `n/${id}`)
    await page.press('Log', '.detail')
    await page.press('App', '.detail')
    await eventually(async () => expect(await page.opened()).toEqual(['https://example.org/log', 'my-app://x']))
    expect(await answerTo(id)).toMatchObject({ status: 'pending' })
    expect((await page.button('Open link')).href).toBe('https://example.org/page')
    await page.press('Yes', '.detail')
    await page.see('Answered: Yes')
    const left = ['Log', 'App', 'Open link']
    await eventually(async () =>
      expect(await page.all('.detail .actions-row button, .detail .actions-row a')).toEqual(left),
    )
  })
})

test('an alert stops repeating without being acknowledged, and says when nobody has; until then it is not snoozed', async () => {
  const alert = { level: 'critical', acknowledge: { repeat_seconds: 60, expire_seconds: 600 } }
  const first = await send(reader, { title: 'Fire', ...alert })
  const page = await openPage(reader, `n/${first}`)
  await page.press('Snooze or mute')
  await page.see('This alert still repeats. Acknowledge it or stop it first.')
  expect(await page.all('.quiet-choices button')).toEqual([])
  await page.press('Close', '.dialog')
  await page.press('Stop repeating')
  await page.see('The alert no longer repeats.')
  const statusOf = async (id: number) => (await app.get(`/notifications/receipts/${id}`, reader.token)).body.status
  expect(await statusOf(first)).toBe('canceled')
  const second = await send(reader, { title: 'Frost', ...alert })
  app.advanceSeconds(601)
  await app.runDueJobs()
  await page.visit(`n/${second}`)
  await page.see('Expired: nobody acknowledged it')
})

test('a notification mutes its source, its thread or its key, for as long as the button says', async () => {
  app.clock.set(Date.now() as never)
  const key = await app.addKey(reader, { name: 'CI key', permissions: { notifications: 'send' } })
  const of = { source: 'ci', source_display_name: 'CI', thread_id: 'main' }
  const page = await openPage(reader, `n/${await send(reader, { title: 'Red', ...of }, key)}`)
  const mutes = async () => {
    const { items } = (await app.get('/mutes', reader.token)).body
    return items.map(({ until, source, thread_id }: { until: string; source?: string; thread_id?: string }) => [
      source ?? thread_id ?? 'key',
      Math.round((Date.parse(until) - Date.now()) / 3_600_000),
    ])
  }
  for (const [index, name] of ['Mute CI for 8 hours', 'Mute main for 1 day', 'Mute CI key for 1 hour'].entries()) {
    await page.press('Snooze or mute')
    await page.press(name)
    await eventually(async () => expect(await mutes()).toHaveLength(index + 1))
  }
  expect((await mutes()).toSorted()).toEqual([
    ['ci', 8],
    ['key', 1],
    ['main', 24],
  ])
})

describe('the list', () => {
  test('many are selected, marked, snoozed until tomorrow and deleted, all of which can be undone', async () => {
    app.clock.set(Date.now() as never)
    const user = await app.addUser()
    for (const title of ['One', 'Two', 'Three']) await send(user, { title })
    const page = await openPage(user)
    const titles = async (query: string) => (await listed(user, query)).map(({ title }: { title: string }) => title)
    const rows = (count: number) => eventually(async () => expect(await page.all('.row-title')).toHaveLength(count))
    const select = async () => {
      for (const title of ['One', 'Three']) await page.check(`Select ${title}`)
      await page.see('2 selected')
    }
    await select()
    await page.press('Read')
    await page.seeNoMore('2 selected')
    await eventually(async () => expect(await titles('?unread=true')).toEqual(['Two']))
    await select()
    await page.press('Unread', '.bulk')
    await eventually(async () => expect(await titles('?unread=true')).toHaveLength(3))
    await select()
    await page.press('Until tomorrow')
    await page.see(/2 notifications are snoozed until/)
    await rows(1)
    const [{ snoozed_until }] = await listed(user, '?snoozed=true')
    const inBerlin = { timeZone: 'Europe/Berlin', timeStyle: 'short' } as const
    expect(new Date(snoozed_until).toLocaleTimeString('en-GB', inBerlin)).toBe('08:00')
    await page.press('Undo')
    await rows(3)
    await select()
    expect((await page.button('Delete')).look).toBe('danger')
    await page.press('Delete')
    await page.see('2 notifications were deleted.')
    await rows(1)
    await page.press('Undo')
    await rows(3)
    expect(await titles('')).toHaveLength(3)
  })

  test('marks only what the filter shows as read, and undoes it; without a match it can be cleared', async () => {
    const user = await app.addUser()
    const [news, alarm] = [await send(user, { title: 'News' }), await send(user, { title: 'Alarm', level: 'critical' })]
    const page = await openPage(user)
    const unread = async () => (await listed(user, '?unread=true')).map(({ id }: { id: number }) => id)
    await page.see('Mark all read')
    await page.choose('Level', 'Critical')
    await page.seeNoMore('News')
    await page.press('Mark these read')
    await page.see('1 notification is marked as read.')
    expect(await unread()).toEqual([news])
    await page.press('Undo')
    await eventually(async () => expect(await unread()).toEqual([alarm, news]))
    await page.press('Unread')
    await eventually(() => expect(page.path()).toBe('/app/?unread=true&level=critical'))
    await page.choose('Level', 'Time-sensitive')
    await page.see('No notification matches')
    await page.press('Clear the filter')
    await page.see('News')
    expect(page.path()).toBe('/app/')
  })
})
