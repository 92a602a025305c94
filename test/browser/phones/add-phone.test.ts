// "Add a phone": the app of another service, which connects while the page waits, and the console on a phone.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { logIn, openStream } from '../../api/doors/gotify/phone.ts'
import { startTestApp, type TestUser, useTestApp } from '../../support/app.ts'
import { seriousViolations, seriousViolationsInBothThemes } from '../../support/browser/accessibility.ts'
import { signInLink, useBrowser } from '../../support/browser/browser.ts'
import { PHONE, SIZES, takePictureOfAll } from '../../support/browser/pictures.ts'
import { readQrCode } from '../../support/browser/qr-reader.ts'
import { nightlyTest } from '../../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

async function open(user: TestUser, look = {}): Promise<Page> {
  const { page } = await browser.openConsole(app, user, look, 'devices')
  await page.getByRole('link', { name: 'Add a phone' }).click()
  await page.getByRole('heading', { name: 'Add a phone' }).waitFor()
  return page
}

const textOf = async (page: Page, name: string): Promise<string> => {
  const row = page.locator('dl.facts > div', { has: page.locator('dt', { hasText: name }) })
  return (await row.locator('code').textContent()) ?? ''
}

nightlyTest(
  'Gotify: address, user and password are shown once; the page turns green by itself; a test arrives',
  async () => {
    const user = await app.addUser()
    const page = await open(user)
    await page.getByRole('radio', { name: /^Android/ }).check()
    await page.getByRole('radio', { name: /^Gotify app/ }).check()
    await page.getByLabel('Name of the phone').fill('Pixel 9')
    await page.getByRole('button', { name: 'Show address and password' }).click()
    await page.getByText('Waiting for the phone…').waitFor()
    const [address, name, password] = [
      await textOf(page, 'Address'),
      await textOf(page, 'User name'),
      await textOf(page, 'Password'),
    ]
    expect(address).toBe(`${app.url}/gotify`)
    expect(await readQrCode(page.locator('.qr-code'))).toBe([address, name, password].join('\n'))
    // A phone cannot reach the address of the test.
    await page.getByText('A phone cannot reach').waitFor()

    app.advanceSeconds(5)
    const stream = await openStream(app, await logIn(app, { user: name, password }))
    await page.getByRole('status').getByText('“Pixel 9” is connected').waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Send a test' }).click()
    expect((await stream.received(1))[0]?.title).toBe('It works')

    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Pixel 9' }).waitFor()
    await page.getByText('Gotify app').waitFor()
    expect(await page.getByText(password).count()).toBe(0)
  },
)

test('ntfy: the phone scans the code, and a tap subscribes the app; what is typed instead is folded', async () => {
  const page = await open(await app.addUser())
  await page.getByRole('radio', { name: /^Android/ }).check()
  await page.getByRole('radio', { name: /^ntfy app/ }).check()
  await page.getByRole('button', { name: 'Show address and password' }).click()
  const password = await textOf(page, 'Password')
  const scanned = await readQrCode(page.locator('.qr-code'))
  expect(scanned).toMatch(new RegExp(`^${app.url}/app/#ntfy=`))
  // The camera of the phone, where nobody is signed in.
  const phone = await (await browser.newProfile(PHONE)).newPage()
  await phone.goto(scanned)
  const link = await phone.getByRole('link', { name: 'Subscribe in the ntfy app' }).getAttribute('href')
  expect(link).toBe(`ntfy://${new URL(app.url).host}/${password}?display=Heliograph&secure=false`)
  // What the app does with it.
  app.advanceSeconds(5)
  expect((await fetch(`${app.url}/${password}/json?poll=1&since=all`)).status).toBe(200)
  await page.getByRole('status').getByText('“Phone with ntfy” is connected').waitFor()
  await page.getByText('Type it in instead').click()
  expect(await textOf(page, 'Topic')).toBe('inbox')
  await page.getByText('type the topic “inbox”').waitFor()
  expect(await seriousViolations(phone)).toEqual([])
  await takePictureOfAll(phone, 'open-in-app-390')
})

nightlyTest('the page behind the code opens nothing but the ntfy app', async () => {
  const page = await (await browser.newProfile()).newPage()
  for (const link of ['https://evil.example/', 'javascript:alert(1)', '2222-2222-2222-2222/../x', 'a?b']) {
    await page.goto(`${app.url}/app/?${Math.random()}#ntfy=${link}`)
    await page.getByText('one-time link').waitFor()
  }
})

test('iPhone: the truth about HTTPS comes before the code; the code counts down, expires and is renewed', async () => {
  const page = await open(await app.addUser())
  await page.clock.install()
  await page.getByRole('radio', { name: /^iPhone or iPad/ }).check()
  await page.getByText('Tap Share, then “Add to Home Screen”.').waitFor()
  await page.getByText('A phone cannot reach').waitFor()
  await page.getByText('caddy reverse-proxy --from').waitFor()
  await page.getByText('tailscale serve --bg').waitFor()
  // Which needs no HTTPS.
  await page.getByRole('radio', { name: /^Bark app/ }).waitFor()
  expect(await page.locator('.qr-code').count()).toBe(0)
  await page.getByRole('button', { name: 'Show the code anyway' }).click()
  const code = page.locator('.qr-code')
  const first = await readQrCode(code)
  expect(first).toMatch(new RegExp(`^${app.url}/app/devices#signin=`))
  await page.clock.fastForward(61_000)
  await page
    .getByRole('timer')
    .filter({ hasText: /^[0-8]:\d\d$/ })
    .waitFor()
  await page.clock.fastForward(600_000)
  await page.getByText('The code has expired.').waitFor()
  expect(await code.count()).toBe(0)
  await page.getByRole('button', { name: 'New code' }).click()
  expect(await readQrCode(code)).not.toBe(first)
})

nightlyTest('over HTTPS the code is shown at once; it names the public address', async () => {
  const server = await startTestApp({ HELIOGRAPH_PUBLIC_URL: 'https://helio.example' })
  onTestFinished(() => server.stop())
  const { page } = await browser.openConsole(server, await server.addUser(), {}, 'devices/add')
  await page.getByRole('radio', { name: /^iPhone or iPad/ }).check()
  expect(await readQrCode(page.locator('.qr-code'))).toContain('https://helio.example/app/devices#signin=')
  expect(await page.getByText('tailscale serve').count()).toBe(0)
})

nightlyTest('Safari on an iPhone: how to install the console, with a sign-in link for the home screen', async () => {
  const user = await app.addUser()
  const context = await browser.newProfile(PHONE)
  await context.addInitScript(`
    delete window.PushManager
    Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1' })`)
  const page = await context.newPage()
  await page.goto(await signInLink(app, user.userId, 'devices'))
  await page.getByRole('heading', { name: 'Put Heliograph on the home screen' }).waitFor()
  const link = await page.locator('code').filter({ hasText: '#signin=' }).textContent()
  app.advanceSeconds(60)
  const code = link?.split('#signin=')[1]
  expect((await app.post('/auth/link', { code })).status).toBe(200)
  expect(await seriousViolations(page)).toEqual([])
  await takePictureOfAll(page, 'add-phone-install-390')
})

nightlyTest('computer and terminal: what to do there', async () => {
  const page = await open(await app.addUser())
  await page.getByRole('radio', { name: /^Computer/ }).check()
  await page.getByText('Open this address in the browser of the computer').waitFor()
  await page.getByRole('radio', { name: /^Terminal/ }).check()
  await page.getByText('heliograph inbox --follow').waitFor()
})

nightlyTest.each(SIZES)('all choices: accessible, and nothing is wider than the screen, at $width px', async (size) => {
  const page = await open(await app.addUser(), size)
  const inspect = async (name: string) => {
    const take = (scheme: string) => takePictureOfAll(page, `add-phone-${name}-${size.width}-${scheme}`)
    expect([name, ...(await seriousViolationsInBothThemes(page, take))]).toEqual([name])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
  await page.getByRole('radio', { name: /^iPhone or iPad/ }).check()
  await page.getByText('tailscale serve').waitFor()
  await inspect('iphone-http')
  await page.getByRole('button', { name: 'Show the code anyway' }).click()
  await page.locator('.qr-code').waitFor()
  await inspect('iphone')
  await page.getByRole('radio', { name: /^Android/ }).check()
  await page.getByRole('radio', { name: /^ntfy app/ }).check()
  await page.getByRole('button', { name: 'Show address and password' }).click()
  await page.locator('.qr-code').waitFor()
  await page.getByText('Waiting for the phone…').waitFor()
  await inspect('ntfy')
})
