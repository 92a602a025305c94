// The wall: arranged in the console, and shown by a link without a session until the link is revoked. And the links that show one
// widget on other screens.
import { expect, test } from 'vitest'
import { WIDGET_EXAMPLES } from '../../../console/src/builder/widget-examples.ts'
import { useTestApp } from '../../support/app.ts'
import { seriousViolations, seriousViolationsInBothThemes } from '../../support/browser/accessibility.ts'
import { useBrowser } from '../../support/browser/browser.ts'
import { PHONE, takePicture, takePictureOfAll } from '../../support/browser/pictures.ts'
import { readQrCode } from '../../support/browser/qr-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { createTrmnl } from '../../support/screens/trmnl.ts'

const app = useTestApp()
const browser = useBrowser()

test('is arranged in the console, and shown on another screen by a link, live, until it is revoked', async () => {
  const user = await app.addUser()
  app.clock.set(Date.now() as never)
  for (const make of Object.values(WIDGET_EXAMPLES)) await app.post('/widgets', make(Date.now()), user.defaultKey)
  const { page } = await browser.openConsole(app, user, PHONE, 'widgets')
  await page.getByRole('link', { name: 'Wall' }).click()
  await page.waitForURL('**/widgets/_wall')

  // The first of the list moves down by a button, the second becomes large, and the time is shown.
  await page.getByRole('button', { name: 'Move Backup down' }).click()
  await page.locator('.wall-row').first().getByText('Batteries', { exact: true }).waitFor()
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move Backup down')
  // Dragged over several rows, an entry is saved once, where it is dropped. Phones have no handle for it.
  await page.setViewportSize({ width: 1280, height: 1000 })
  const saves: string[] = []
  page.on('request', (request) => void (request.method() === 'PUT' && saves.push(request.url())))
  const handle = (row: number) => page.locator('.wall-row .drag-handle').nth(row)
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await handle(4).hover()
  await page.mouse.down()
  for (const row of [3, 2, 0]) await handle(row).hover()
  await page.mouse.up()
  const dropped = (await (await saved).json()).items.map(({ slug }: { slug: string }) => slug)
  expect(dropped.slice(1, 3)).toEqual(['batteries', 'backup'])
  expect(saves).toHaveLength(1)
  await page.locator('.wall-row').nth(2).getByText('Backup', { exact: true }).waitFor()
  await handle(0).hover()
  await page.mouse.down()
  await handle(3).hover()
  await handle(4).hover()
  await page.mouse.up()
  await page.locator('.wall-row').first().getByText('Batteries', { exact: true }).waitFor()
  await page.setViewportSize(PHONE)
  await page.getByLabel('Size of Backup').selectOption('Large')
  await page.getByLabel('Show the time').check()
  await page.getByLabel('Where is it shown?').fill('Tablet')
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = String(await page.locator('.wall-new-link code').textContent())
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
  const take = (scheme: string) => takePictureOfAll(page, `wall-arrange-${scheme}`)
  expect(await seriousViolationsInBothThemes(page, take)).toEqual([])
  const { items, shows_clock } = (await app.get('/wall', user.token)).body
  expect([items[0].slug, items[1], shows_clock]).toEqual(['batteries', { slug: 'backup', size: 'large' }, true])

  const tablet = await (await browser.newProfile({ width: 1280, height: 800 })).newPage()
  await tablet.goto(link)
  await tablet.locator('.wall .widget').nth(9).waitFor()
  expect(await tablet.locator('.wall .widget-large').count()).toBe(1)
  expect(await tablet.locator('.wall-clock').textContent()).toMatch(/^\d\d:\d\d$/)
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1024, height: 768 },
    { width: 360, height: 740 },
  ]) {
    await tablet.setViewportSize(size)
    await takePicture(tablet, `wall-${size.width}`)
    const root = await tablet.evaluate('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]')
    expect(root).toEqual([size.width, size.height])
    const outside = () =>
      tablet.evaluate(`[...document.querySelectorAll('.wall .widget')].filter((card) => {
        const { left, right, bottom } = card.getBoundingClientRect()
        return left < 0 || right > innerWidth || bottom > innerHeight
      }).length`)
    // The page is told its new size with the next frame.
    await eventually(async () => expect(await outside()).toBe(0))
  }
  expect(await seriousViolations(tablet)).toEqual([])

  await app.patch('/widgets/office', { content: { value: 24 } }, user.defaultKey)
  await tablet.locator('.figure', { hasText: /^24/ }).waitFor()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await tablet.getByText('This link no longer works.').waitFor()
  expect(await tablet.locator('.widget').count()).toBe(0)

  // With a session the same screen needs no link.
  await page.goto(`${app.url}/app/wall`)
  await page.locator('.wall .widget').nth(9).waitFor()
})

test('says since when it is not connected, until it is again', async () => {
  const user = await app.addUser()
  await app.post('/widgets', { slug: 'boiler', name: 'Boiler', content: { template: 'value', value: 63 } }, user.token)
  const { url } = (await app.post('/wall/links', { name: 'Tablet' }, user.token)).body
  const tablet = await (await browser.newProfile({ width: 1280, height: 800 })).newPage()
  await tablet.clock.install()
  await tablet.goto(url)
  await tablet.locator('.figure', { hasText: /^63/ }).waitFor()
  const held = Promise.withResolvers<void>()
  await tablet.route('**/wall/events', async (route) => {
    await held.promise
    await route.continue().catch(() => {})
  })
  // The test server's clock stands still, so it sends no heartbeat.
  const again = tablet.waitForRequest('**/wall/events')
  await tablet.clock.fastForward(46_000)
  await again
  const note = tablet.getByText(/^Not connected since \d+:\d+\. The widgets may be out of date\.$/)
  await tablet.clock.fastForward(10_000)
  await note.waitFor()
  await takePicture(tablet, 'wall-lost')
  held.resolve()
  await tablet.clock.fastForward(30_000)
  await note.waitFor({ state: 'detached' })
})

test('a widget is brought onto a phone by a link, which the page Screens lists, gives a new address, and revokes', async () => {
  const user = await app.addUser()
  await app.post('/widgets', { slug: 'boiler', name: 'Boiler', content: { template: 'value', value: 63 } }, user.token)
  const { page } = await browser.openConsole(app, user, PHONE, 'widgets/boiler')
  await page.getByRole('button', { name: 'Show on a screen' }).click()
  await page.getByLabel('Where is it shown?').fill('Phone')
  await takePicture(page, 'screens-form')
  await page.getByRole('button', { name: 'Make the link' }).click()
  const made = page.getByRole('dialog', { name: 'The address of “Phone”' })
  const address = String(await made.locator('code').first().textContent())
  expect(await made.locator('code').nth(1).textContent()).toBe(`${address}/widgets/boiler.png`)
  expect(await readQrCode(made.locator('.qr-code'))).toBe(`${address}/iphone`)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
  const takeMade = (scheme: string) => takePicture(page, `screens-made-${scheme}`)
  expect(await seriousViolationsInBothThemes(page, takeMade)).toEqual([])
  await made.getByRole('button', { name: 'Done' }).click()

  // The policy of the page lets its pictures and its button through.
  const phone = await (await browser.newProfile(PHONE)).newPage()
  await phone.goto(`${address}/iphone`)
  const isDrawn = '[...document.images].every((image) => image.complete && image.naturalWidth === 316)'
  await eventually(async () => expect(await phone.evaluate(isDrawn)).toBe(true))
  await phone.getByRole('button', { name: 'Copy the script' }).click()
  await phone.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
  for (const colorScheme of ['light', 'dark'] as const) {
    await phone.emulateMedia({ colorScheme })
    await takePictureOfAll(phone, `screens-iphone-${colorScheme}`)
  }

  // A display that was reset.
  const input = { kind: 'trmnl', name: 'Hall', shows: { wall: true } }
  const display = createTrmnl((await app.post('/screens', input, user.token)).body.server_url)
  await display.setup()
  await display.wake()
  await display.log(JSON.stringify({ logs: [{ message: 'Wi-Fi was weak' }] }))
  await display.setup()

  await page.goto(`${app.url}/app/screens`)
  const hall = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Hall' }) })
  await hall.getByText(/battery 4.1 V · signal -61 dBm · firmware 1.5.2/).waitFor()
  await hall.getByText('Log of the display').click()
  await hall.getByText('Wi-Fi was weak').waitFor()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Phone' }) })
  await card.getByText('boiler', { exact: true }).waitFor()
  await card.getByText(/^used /).waitFor()
  const take = (scheme: string) => takePictureOfAll(page, `screens-${scheme}`)
  expect(await seriousViolationsInBothThemes(page, take)).toEqual([])
  await card.getByRole('button', { name: 'Change' }).click()
  const changes = page.getByRole('dialog', { name: 'Change “Phone”' })
  await changes.getByLabel('Appearance').selectOption('dark')
  await changes.getByLabel('The wall, with all its widgets').check()
  const takeChanges = (scheme: string) => takePicture(page, `screens-changes-${scheme}`)
  expect(await seriousViolationsInBothThemes(page, takeChanges)).toEqual([])
  await changes.getByRole('button', { name: 'Save' }).click()
  await card.getByText('boiler, Wall', { exact: true }).waitFor()
  const links = (await app.get('/screens', user.token)).body.items
  const link = links.find(({ name }: { name: string }) => name === 'Phone')
  expect(link).toMatchObject({ theme: 'dark', wall: true, widgets: ['boiler'], time_zone: expect.any(String) })
  await card.getByRole('button', { name: 'New address' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New address' }).click()
  const rolled = String(await made.locator('code').first().textContent())
  expect((await fetch(`${address}/widgets/boiler.txt`)).status).toBe(404)
  expect(await (await fetch(`${rolled}/widgets/boiler.txt`)).text()).toBe('Boiler 63\n')
  await made.getByRole('button', { name: 'Done' }).click()
  await hall.getByRole('button', { name: 'Pair again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pair again' }).click()
  await eventually(async () => expect(await hall.getByRole('button', { name: 'Pair again' }).count()).toBe(0))
  expect((await display.setup()).status).toBe(200)
  await hall.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await card.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('There is no link yet.').waitFor()
  expect((await fetch(`${rolled}/widgets/boiler.txt`)).status).toBe(404)
})
