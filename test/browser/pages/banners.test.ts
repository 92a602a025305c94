// The banners of new notifications, which an open console shows on every page.
import { expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { useConsole } from '../../support/browser/console-page.ts'
import { eventually } from '../../support/eventually.ts'
import { nightlyTest } from '../../support/nightly.ts'

const app = useTestApp()
const openPage = useConsole(app)

test('are shown for what is pushed, the most urgent first, and leave when it is read, answered or deleted', async () => {
  const user = await app.addUser()
  const send = async (message: object): Promise<number> =>
    (await app.post('/notifications', { body: 'B', ...message }, user.token)).body.id
  const page = await openPage(user, 'keys')
  await page.see('May do everything')
  await page.see('Connected')
  const banners = async () => (await page.all('article.alert .alert-title')).map((title) => title.split(' ')[0])
  await send({ title: 'Silent', level: 'passive' })
  await send({ title: 'Unpushed', push: false })
  const read = await send({ title: 'Parcel', level: 'active' })
  await send({ title: 'Bell', level: 'time-sensitive' })
  await page.see('2 new notifications')
  await page.press('Show', '.alerts')
  await eventually(async () => expect(await banners()).toEqual(['Bell', 'Parcel']))
  await page.press('Dismiss', '.alert-time-sensitive')
  await eventually(async () => expect(await banners()).toEqual(['Parcel']))
  const answered = await send({ title: 'Answered', level: 'critical', actions: [{ id: 'yes', title: 'Yes' }] })
  const deleted = await send({ title: 'Deleted', level: 'critical' })
  await send({ title: 'Kept', level: 'critical' })
  await page.see('4 new notifications')
  await app.post('/notifications/read', { ids: [read] }, user.token)
  await page.see('3 new notifications')
  await app.post(`/notifications/${answered}/answer`, { action_id: 'yes' }, user.token)
  await page.see('2 new notifications')
  await app.del(`/notifications/${deleted}`, user.token)
  await eventually(async () => expect(await banners()).toEqual(['Kept']))
  await app.post('/notifications/read', { all: true }, user.token)
  await eventually(async () => expect(await banners()).toEqual([]))
})

nightlyTest('are put away all at once; an alert that rings counts in the menu until it ends', async () => {
  const user = await app.addUser()
  const page = await openPage(user, 'keys')
  await page.see('Connected')
  const alert = { title: 'Fire', body: 'B', level: 'critical', acknowledge: {} }
  const { id } = (await app.post('/notifications', alert, user.token)).body
  await app.post('/notifications', { title: 'Parcel', body: 'B' }, user.token)
  await page.see('1 alert rings, 1 new notification')
  await page.press('Dismiss all')
  await eventually(async () => expect(await page.all('.alert')).toEqual([]))
  expect(await page.all('.side .count-critical')).toEqual(['1 ringing'])
  await app.post(`/notifications/receipts/${id}/cancel`, undefined, user.token)
  await eventually(async () => expect(await page.all('.side .count')).toEqual(['2 unread']))
})
