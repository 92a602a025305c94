// What a person sets and removes on the pages of the account: devices, the name, e-mail addresses and screens.
import { beforeAll, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { useConsole } from '../../support/browser/console-page.ts'
import { eventually } from '../../support/eventually.ts'
import { nightlyTest } from '../../support/nightly.ts'

const app = useTestApp({ HELIOGRAPH_SMTP_URL: 'smtp://127.0.0.1:1', HELIOGRAPH_MAIL_FROM: 'helio@example.org' })
const openPage = useConsole(app)
let user: TestUser

beforeAll(async () => {
  user = await app.addUser()
})

test('a device is renamed and tagged, needs a name, and is removed after a confirmation', async () => {
  await app.put('/devices/wall', { name: 'Wall', platform: 'web', tags: ['kitchen'] }, user.token)
  await app.post('/devices/apps', { kind: 'ntfy', name: 'Pixel' }, user.token)
  const page = await openPage(user, 'devices')
  await page.see('Waiting for Pixel to connect')
  await page.press('Edit', 'kitchen')
  await page.fill('Name', '')
  expect((await page.button('Save')).isDisabled).toBe(true)
  await page.fill('Name', ' Tablet ')
  await page.fill('Tags', 'wall, first floor,')
  await page.press('Save')
  await page.see('Tablet')
  const devices = async () => (await app.get('/devices', user.token)).body.items
  const saved = expect.objectContaining({ id: 'wall', name: 'Tablet', tags: ['wall', 'first floor'] })
  expect(await devices()).toContainEqual(saved)
  await page.press('Remove', 'Tablet')
  await page.see('It gets no more notifications until it registers again.')
  expect((await page.button('Remove', '.dialog')).look).toBe('danger')
  await page.press('Cancel', '.dialog')
  expect(await devices()).toContainEqual(saved)
  await page.press('Remove', 'Tablet')
  await page.press('Remove', '.dialog')
  await page.seeNoMore('Tablet')
  expect(await devices()).toMatchObject([{ name: 'Pixel' }])
})

nightlyTest('the nickname is saved trimmed, and can be removed', async () => {
  const page = await openPage(user, 'settings')
  const nickname = async () => (await app.get('/auth/me', user.token)).body.nickname
  await page.fill('Nickname', ' Ada ')
  await page.press('Save', 'Nickname')
  await eventually(async () => expect(await nickname()).toBe('Ada'))
  await page.fill('Nickname', '')
  await page.press('Save', 'Nickname')
  await eventually(async () => expect(await nickname()).toBeNull())
})

test('an address for e-mail waits for its confirmation, gets the link again, and is removed', async () => {
  const page = await openPage(user, 'emails')
  await page.see('No address yet.')
  expect((await page.button('Send the link')).isDisabled).toBe(true)
  await page.fill('Address', ' ada@example.org ')
  await page.press('Send the link')
  await page.see('A confirmation link is on its way.')
  await page.see('ada@example.org')
  const recipients = async () => (await app.get('/emails/recipients', user.token)).body.items
  expect(await recipients()).toMatchObject([{ address: 'ada@example.org', status: 'pending' }])
  expect(await page.all('.tag-pending')).toHaveLength(1)
  // Sign-in links go only to an address that was confirmed.
  expect(await page.buttons()).not.toContain('Send sign-in links here')
  app.advanceSeconds(3600)
  await page.press('Send the link again')
  await page.press('Remove')
  await page.see('Remove ada@example.org?')
  await page.press('Remove', '.dialog')
  await page.see('No address yet.')
  expect(await recipients()).toEqual([])
})

test('a link of a screen needs a name and something to show, shows what is chosen, and can end', async () => {
  const boiler = { slug: 'boiler', name: 'Boiler', content: { template: 'value', value: 63 } }
  await app.post('/widgets', boiler, user.token)
  await app.patch('/activities/wash?upsert=true', { state: 'ongoing', content: { template: 'generic' } }, user.token)
  const page = await openPage(user, 'screens')
  await page.press('New link')
  await page.fill('Where is it shown?', 'Hall')
  await page.see('Boiler')
  expect((await page.button('Make the link')).isDisabled).toBe(true)
  await page.check('Boiler')
  await page.check('wash')
  await page.press('Make the link')
  await page.see('The address of “Hall”')
  const [address = '', picture] = await page.all('.copyable code')
  expect(picture).toBe(`${address}/widgets/boiler.png`)
  await page.press('Done')
  const links = async () => (await app.get('/screens', user.token)).body.items
  expect(await links()).toMatchObject([{ name: 'Hall', widgets: ['boiler'], activities: ['wash'], wall: false }])
  await page.press('Change')
  await page.check('wash')
  await page.fill('Ends at', '2030-01-02T03:04')
  await page.press('Save')
  await page.see(/ends [^·]*2030/)
  // The browser is in Berlin.
  expect(await links()).toMatchObject([{ activities: [], expires_at: '2030-01-02T02:04:00.000Z' }])
})
