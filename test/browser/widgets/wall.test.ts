// The wall: arranged in the console, and shown by a link without a session until the link is revoked.
import { expect, test } from 'vitest'
import { WIDGET_EXAMPLES } from '../../../console/src/builder/widget-examples.ts'
import { useTestApp } from '../../support/app.ts'
import { seriousViolations, seriousViolationsInBothThemes } from '../../support/browser/accessibility.ts'
import { useBrowser } from '../../support/browser/browser.ts'
import { PHONE, takePicture, takePictureOfAll } from '../../support/browser/pictures.ts'
import { eventually } from '../../support/eventually.ts'

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
  ]) {
    await tablet.setViewportSize(size)
    await takePicture(tablet, `wall-${size.width}`)
    const root = await tablet.evaluate('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]')
    expect(root).toEqual([size.width, size.height])
    const lowest = () =>
      tablet
        .locator('.wall .widget')
        .evaluateAll((cards) =>
          Math.max(
            ...cards.map(
              (card) =>
                (card as never as { getBoundingClientRect(): { bottom: number } }).getBoundingClientRect().bottom,
            ),
          ),
        )
    // The page is told its new size with the next frame.
    await eventually(async () => expect(await lowest()).toBeLessThanOrEqual(size.height))
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
