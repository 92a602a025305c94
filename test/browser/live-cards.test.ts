// Widgets that change while they are displayed, and the builder with validation by the server.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../support/app.ts'
import { signInLink, useBrowser } from '../support/browser/browser.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()
const OFFICE = {
  slug: 'office',
  name: 'Office',
  content: { template: 'gauge', value: 21.5, min_value: 10, max_value: 35, unit: '°C' },
}

let user: TestUser
// The browser's own time, set once: each sign-in moves the clock on by a minute, because ten a minute are allowed, and to
// set it back each time would put all of them into the same minute.
beforeAll(() => app.clock.set(Date.now() as never))
beforeEach(async () => {
  user = await app.addUser()
})

async function openWidgets(path = '') {
  return (await browser.openConsole(app, user, {}, `widgets${path}`)).page
}

describe('a widget on the page', () => {
  test('is redrawn without a reload when a program patches it', async () => {
    await app.post('/widgets', OFFICE, user.defaultKey)
    const page = await openWidgets()
    await page.getByText('21.5').waitFor()
    await page.evaluate('window.wasLoadedOnce = true')
    await app.patch('/widgets/office', { content: { value: 24 } }, user.defaultKey)
    await page.locator('.figure', { hasText: /^24/ }).waitFor()
    expect(await page.evaluate('window.wasLoadedOnce')).toBe(true)
  })

  nightlyTest('appears and disappears without a reload', async () => {
    const page = await openWidgets()
    await page.getByText('There is no widget yet.').waitFor()
    await app.post('/widgets', OFFICE, user.defaultKey)
    await page.getByText('21.5').waitFor()
    await app.del('/widgets/office', user.defaultKey)
    await page.getByText('There is no widget yet.').waitFor()
  })

  nightlyTest('counts down without a reload', async () => {
    const end = new Date(Date.now() + 3_600_000).toISOString()
    const content = { template: 'countdown', end_date: end }
    await app.post('/widgets', { slug: 'release', name: 'Release', content }, user.defaultKey)
    const page = await openWidgets()
    const figure = page.locator('.figure', { hasText: /^59:\d\d$/ })
    await figure.waitFor()
    const before = await figure.textContent()
    await page
      .locator('.figure')
      .filter({ hasNotText: String(before) })
      .waitFor()
    expect(await figure.textContent()).toMatch(/^59:\d\d$/)
  })

  test('is dimmed once it is stale, with the time of its last change; on the lock screen it is not', async () => {
    app.clock.set((Date.now() - 3_600_000) as never)
    await app.post('/widgets', { ...OFFICE, stale_after: 600 }, user.defaultKey)
    app.clock.set(Date.now() as never)
    const page = await openWidgets('/office')
    await page
      .locator('.widget-stale', { hasText: /as of \d\d:\d\d/ })
      .nth(2)
      .waitFor()
    expect(await page.locator('.accessory', { hasText: 'as of' }).count()).toBe(0)
  })

  nightlyTest('calls the URL of its button without leaving the page', async () => {
    const action = { url: `${app.url}/health`, title: 'Open the window', method: 'POST', body: '{"open":true}' }
    await app.post('/widgets', { ...OFFICE, content: { ...OFFICE.content, url_action: action } }, user.defaultKey)
    const page = await openWidgets()
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().endsWith('/health')),
      page.getByRole('button', { name: 'Open the window' }).click(),
    ])
    expect([request.method(), request.postData()]).toEqual(['POST', '{"open":true}'])
  })
})

describe('the icons of a page', () => {
  test('are loaded by one request, however many cards show them', async () => {
    const icons = ['bolt', 'house', 'car', 'lock', 'bell', 'cart', 'leaf', 'key', 'map', 'pill']
    for (const [index, icon] of [...icons, ...icons].entries()) {
      const content = { template: 'value', value: index, icon }
      await app.post('/widgets', { slug: `w${index}`, name: `W ${index}`, content }, user.defaultKey)
    }
    const context = await browser.newProfile()
    const requests: string[] = []
    context.on('request', (request) => request.url().includes('/icons') && requests.push(request.url()))
    const page = await context.newPage()
    await page.goto(await signInLink(app, user.userId, 'widgets'))
    await page.locator('.widget').nth(19).waitFor()
    await page.locator('#drawing-house path').waitFor({ state: 'attached' })
    expect(requests).toHaveLength(1)
    expect(requests[0]).toContain(`names=${icons.toSorted().join(',')}`)
  })
})

describe('the builder', () => {
  test('shows violations of the server at their fields, and saves a valid widget', async () => {
    const page = await openWidgets('/_new')
    await page.getByRole('link', { name: 'Gauge' }).click()
    await page.getByLabel('Slug').fill('kitchen')
    await page.getByLabel('Highest value').fill('15')
    const value = page.getByLabel('Value', { exact: true })
    await page.getByText('Must be between the lowest value, 10, and the highest value, 15.').waitFor()
    const describedBy = await value.getAttribute('aria-describedby')
    expect(await page.locator(`#${describedBy}`).textContent()).toBe(
      'Must be between the lowest value, 10, and the highest value, 15.',
    )
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)

    await value.fill('12.5')
    await page.getByText('Valid: the server accepts this.').waitFor()
    expect((await app.get('/widgets', user.token)).body.items).toEqual([])
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Office' }).waitFor()
    const { content } = (await app.get('/widgets/kitchen', user.token)).body
    expect(content).toMatchObject({ template: 'gauge', value: 12.5, max_value: 15 })
  })

  nightlyTest('shows a change immediately, before the server has validated it', async () => {
    await app.post('/widgets', OFFICE, user.defaultKey)
    const page = await openWidgets('/office/edit')
    await page.getByLabel('Value', { exact: true }).fill('30.25')
    expect(await page.locator('.widget-medium .figure').textContent()).toBe('30.25°C')
    await page.getByText('Advanced').click()
    await page.getByLabel('Content as JSON').fill('{"template": "status", "label": "All well"}')
    expect(await page.locator('.widget-medium .card-chip').textContent()).toBe('All well')
  })

  nightlyTest('shows where JSON is invalid, and violations of members without a field', async () => {
    await app.post('/widgets', OFFICE, user.defaultKey)
    const page = await openWidgets('/office/edit')
    await page.getByText('Advanced').click()
    const json = page.getByLabel('Content as JSON')
    await json.fill('{"template": "value",}')
    await page.getByText(/Not valid JSON: .*line 1/).waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)

    await json.fill('{"template": "value", "value": 1, "flow": {"output": {"rate": "x"}}}')
    await page.locator('.verdict li', { hasText: 'flow.output.rate' }).waitFor()

    await json.fill('{"template": "battery", "devices": "none"}')
    await page.getByText('No preview: the content is incomplete.').waitFor()
    await json.fill('{"template": "battery", "devices": [{"name": "Phone", "level": 80}]}')
    await page.locator('.widget-medium', { hasText: '80%' }).waitFor()
  })

  nightlyTest('removes members from the widget that were cleared in the form, and keeps its settings', async () => {
    const content = { ...OFFICE.content, subtitle: 'Window open' }
    await app.post('/widgets', { ...OFFICE, content, push_throttle: 30, stale_after: 900 }, user.defaultKey)
    const page = await openWidgets('/office/edit')
    await page.getByLabel('Subtitle').fill('')
    await page.getByText('Valid: the server accepts this.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'All widgets' }).waitFor()
    const saved = (await app.get('/widgets/office', user.token)).body
    expect(saved).toMatchObject({ content: OFFICE.content, push_throttle: 30, stale_after: 900 })
    expect(saved.content).not.toHaveProperty('subtitle')
  })

  nightlyTest('edits lists as rows, chooses icons and colours, and keeps the draft over a reload', async () => {
    const page = await openWidgets('/_new')
    await page.getByRole('link', { name: 'Batteries' }).click()
    await page.waitForURL('**/widgets/_new/battery')
    const row = (number: number) => page.getByRole('group', { name: `Device ${number}` })
    await row(1).getByLabel('Level').fill('120')
    await row(1).getByText('Must be at most 100.').waitFor()
    await row(1).getByLabel('Level').fill('20')

    // By a button the focus follows the row; Alt and an arrow do the same.
    await row(1).getByRole('button', { name: 'Move Device 1 down' }).click()
    expect(await row(2).getByLabel('Name').inputValue()).toBe('Front door')
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move Device 2 down')
    await page.keyboard.press('Alt+ArrowUp')
    expect(await row(1).getByLabel('Name').inputValue()).toBe('Front door')

    await row(1).getByRole('button', { name: /^Icon/ }).click()
    await page.getByLabel('Search icons').fill('washing')
    await page.getByRole('button', { name: 'mdi:washing-machine', exact: true }).click()
    await row(1)
      .getByRole('button', { name: /^Colour/ })
      .click()
    await page.getByRole('button', { name: 'Teal' }).click()
    await row(4).getByRole('button', { name: 'Remove Device 4' }).click()
    await page.getByRole('button', { name: 'Add a device' }).click()
    await row(4).getByText('This is required.').waitFor()
    await row(4).getByLabel('Name').fill('Bike')
    await page.getByText('Advanced').click()
    await page.getByLabel('Stale after', { exact: true }).fill('30')

    await page.reload()
    await page.getByText('Your unsaved changes are back.').waitFor()
    await page.goBack()
    await page.getByText('Start with an example').waitFor()
    await page.goForward()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL('**/widgets/batteries')
    const saved = (await app.get('/widgets/batteries', user.token)).body
    expect(saved.stale_after).toBe(1800)
    expect(saved.content.devices).toEqual([
      { name: 'Front door', level: 20, icon: 'mdi:washing-machine', color: 'teal' },
      { name: 'Watch', level: 46, icon: 'applewatch' },
      { name: 'Phone', level: 81, icon: 'iphone', charging: true },
      { name: 'Bike', level: 100 },
    ])
  })

  nightlyTest('deletes after a confirmation', async () => {
    await app.post('/widgets', OFFICE, user.defaultKey)
    const page = await openWidgets('/office')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no widget yet.').waitFor()
    expect((await app.get('/widgets/office', user.token)).status).toBe(404)
  })
})
