// Quiet hours in the console: set, seen as a week, and turned off; "do not disturb until"; mutes by key and until a time.
import { expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { seriousViolationsInBothThemes } from '../../support/browser/accessibility.ts'
import { useBrowser, visit } from '../../support/browser/browser.ts'
import { SIZES, takePictureOfAll } from '../../support/browser/pictures.ts'
import { nightlyTest } from '../../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

test('windows are set by fields and drawn as a week; "do not disturb" is set and ended; all of it can be undone', async () => {
  const user = await app.addUser()
  const { page } = await browser.openConsole(app, user, {}, 'quiet-hours')
  const read = async () => (await app.get('/auth/me/quiet-hours', user.token)).body
  await page.getByText('Your devices are not silenced.').waitFor()
  await page.getByRole('button', { name: 'Set quiet hours' }).click()
  const week = page.getByRole('img', { name: /^Monday: 00:00–07:00, 22:00–24:00; Tuesday/ })
  await week.waitFor()
  const first = page.getByRole('group', { name: 'Window 1' })
  await first.getByLabel('Friday').uncheck()
  await first.getByLabel('Saturday').uncheck()
  await page.getByRole('button', { name: 'Add a window' }).click()
  const second = page.getByRole('group', { name: 'Window 2' })
  // A window without a day is not complete.
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await second.getByLabel('Saturday').check()
  await second.getByLabel('From').fill('13:00')
  await second.getByLabel('To', { exact: false }).fill('15:00')
  await second.getByText('To', { exact: true }).waitFor()
  await page.getByLabel('Passes all the same').selectOption('Critical messages only')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Mon–Thu, Sun: 22:00 to 07:00 the next day').waitFor()
  await page.getByText('Sat: 13:00 to 15:00').waitFor()
  expect(await read()).toMatchObject({
    timezone: 'Europe/Berlin',
    windows: [
      { days: ['mon', 'tue', 'wed', 'thu', 'sun'], from: '22:00', to: '07:00' },
      { days: ['sat'], from: '13:00', to: '15:00' },
    ],
    passes: 'critical',
    digest: true,
  })

  await page.getByRole('button', { name: 'Until tomorrow' }).click()
  await page.getByText('Your devices stay silent until').first().waitFor()
  expect((await read()).until).toBeDefined()
  await page.getByRole('button', { name: 'End it now' }).click()
  await page.getByText('“Do not disturb” has ended.').waitFor()
  expect((await read()).until).toBeUndefined()

  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('No hours are quiet.').waitFor()
  expect((await read()).windows).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Sat: 13:00 to 15:00').waitFor()
  expect((await read()).windows).toHaveLength(2)

  await page.keyboard.press('Control+K')
  await page.getByRole('combobox').fill('disturb hour')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'End it now' }).waitFor()
})

nightlyTest(
  'a message mutes its key, or its source until a time; the page of quiet hours lists mutes and ends them',
  async () => {
    const user = await app.addUser()
    const { id } = (await app.post('/notifications', { title: 'Red', body: 'B', source: 'ci' }, user.defaultKey)).body
    const { page } = await browser.openConsole(app, user, {}, `n/${id}`)
    await page.getByRole('button', { name: 'Snooze or mute', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: /^Mute everything sent with the key/ }).waitFor()
    const byKey = dialog.locator('section').filter({ hasText: 'sent with the key' })
    await byKey.getByRole('button', { name: /for 8 hours/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Snooze or mute', exact: true }).click()
    const bySource = dialog.locator('section').filter({ hasText: 'Mute everything from ci' })
    await bySource.getByRole('button', { name: 'Mute ci until a time' }).click()
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await bySource.getByLabel('Until', { exact: true }).fill(`${tomorrow}T12:00`)
    await bySource.getByRole('button', { name: 'Mute', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const mutes = (await app.get('/mutes', user.token)).body.items
    expect(mutes.map(({ source, key_id }: { source?: string; key_id?: string }) => source ?? Boolean(key_id))).toEqual(
      expect.arrayContaining(['ci', true]),
    )
    await visit(page, 'quiet-hours')
    const listed = page.getByRole('listitem').filter({ hasText: 'Source' })
    await listed.getByText('ci').waitFor()
    await listed.getByRole('button', { name: 'End the mute of ci' }).click()
    await listed.waitFor({ state: 'detached' })
    expect((await app.get('/mutes', user.token)).body.items).toHaveLength(1)
  },
)

nightlyTest.each(SIZES)('the page is accessible in both themes and fits the window (%o)', async ({ width, height }) => {
  const user = await app.addUser()
  const windows = [{ days: ['mon', 'fri'], from: '22:00', to: '07:00' }]
  await app.put('/auth/me/quiet-hours', { timezone: 'Europe/Berlin', windows }, user.token)
  const { page } = await browser.openConsole(app, user, { width, height }, 'quiet-hours')
  const found: string[] = []
  for (const part of ['page', 'form']) {
    if (part === 'form') await page.getByRole('button', { name: 'Edit' }).click()
    const violations = await seriousViolationsInBothThemes(page, async (scheme) => {
      await page.locator('.week').waitFor()
      await takePictureOfAll(page, `quiet-hours-${part}-${width}-${scheme}`)
    })
    const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
    found.push(...violations, ...(isTooWide ? [`${part} is too wide`] : []))
  }
  expect(found).toEqual([])
})
