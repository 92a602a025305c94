// The documentation site in a browser: readable for everybody, in both themes, and searchable.
import { expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { seriousViolations } from '../support/browser/accessibility.ts'
import { type Look, useBrowser } from '../support/browser/browser.ts'
import { isNightly, nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

const PHONE: Look = { width: 390, height: 844, scheme: 'dark' }
const DESKTOP: Look = { width: 1440, height: 900, scheme: 'light' }

async function open(path: string, look: Look) {
  const page = await (await browser.newProfile(look)).newPage()
  const errors: string[] = []
  // Violations of the content security policy are errors of the console too.
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${app.url}/docs/${path}`)
  return { page, errors }
}

const INSPECTED: [path: string, look: Look][] = [
  ['concepts', PHONE],
  ['notifications', DESKTOP],
]
if (isNightly) INSPECTED.push(['configuration', PHONE])

test.each(INSPECTED)('%s passes axe, does not scroll sideways and reports no error', async (path, look) => {
  const { page, errors } = await open(path, look)
  expect(await seriousViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(errors).toEqual([])
})

test('the search finds a section by the keyboard and opens it', async () => {
  const { page, errors } = await open('', DESKTOP)
  await page.keyboard.press('/')
  await page.keyboard.type('send exactly once')
  await page.getByRole('option', { name: 'Send exactly once' }).waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL(/notifications\.html#send-exactly-once$/)
  await page.getByRole('heading', { name: 'Send exactly once' }).waitFor()
  expect(errors).toEqual([])
})

nightlyTest('a button copies a block of code as plain text', async () => {
  const { page } = await open('notifications', DESKTOP)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^curl -s \$URL\/notifications -H "Authorization: /,
  )
})

nightlyTest('the sign-in page of the console leads to the documentation', async () => {
  const page = await (await browser.newProfile()).newPage()
  await page.goto(`${app.url}/app/`)
  await page.getByRole('link', { name: 'Documentation' }).click()
  await page.getByRole('heading', { name: 'Heliograph', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/docs/')
})

nightlyTest('the menu is folded on a phone and leads to other pages', async () => {
  const { page } = await open('concepts', PHONE)
  await page.getByText('Menu', { exact: true }).click()
  await page.getByRole('link', { name: 'Live activities' }).click()
  await page.getByRole('heading', { name: 'Live activities', level: 1 }).waitFor()
})
