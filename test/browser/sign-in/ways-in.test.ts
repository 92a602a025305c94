// Ways in without a terminal: an invitation that makes the account, and the approval of another device.
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, useTestApp } from '../../support/app.ts'
import { seriousViolationsInBothThemes } from '../../support/browser/accessibility.ts'
import { HOME, PUBLIC } from '../../support/browser/addresses.ts'
import { addVirtualAuthenticator, useBrowser, visit } from '../../support/browser/browser.ts'
import { SIZES, takePictureOfAll } from '../../support/browser/pictures.ts'
import { eventually } from '../../support/eventually.ts'
import { nightlyTest } from '../../support/nightly.ts'
import { createOrganization, invite } from '../../support/organizations/organization.ts'
import { addCode } from '../../support/shares.ts'

const app = useTestApp({ HELIOGRAPH_INVITED_ACCOUNTS: 'all' })
const browser = useBrowser()
// Browsers accept no passkey for an address of numbers.
const named = () => app.url.replace('127.0.0.1', 'localhost')

const openInvitation = async (url: string) => {
  app.advanceSeconds(60)
  const page = await (await browser.newProfile()).newPage()
  await page.goto(url)
  return page
}

describe('an invited person without an account', () => {
  test('says their name, makes a passkey, has joined, gets a message and answers it; the passkey signs in again', async () => {
    const org = await createOrganization(app)
    const key = (
      await app.post(`${org.path}/keys`, { name: 'CI', permissions: { notifications: 'send' } }, org.owner.token)
    ).body.key
    const page = await openInvitation('about:blank')
    await addVirtualAuthenticator(page)
    await page.goto(`${named()}/app/#org=${await invite(app, org)}`)
    await page.getByRole('heading', { name: 'You are invited to “Example”.' }).waitFor()
    await page.getByLabel('Your name').fill('Grace')
    await page.getByRole('button', { name: 'Join' }).click()
    // What a member gets from it arrives in the own inbox. The line is shown for six seconds, so it is waited for before.
    const greeted = page.getByText('You are a member of “Example”.').waitFor()
    await page.getByRole('button', { name: 'Make a passkey on this device' }).click()
    await greeted
    const list = page.getByRole('region', { name: 'Inbox' })
    const members = (await app.get(`${org.path}/members`, org.owner.token)).body.items
    const { user_id } = members.find(({ nickname }: { nickname?: string }) => nickname === 'Grace')

    await app.post(
      '/notifications',
      { title: 'Lunch?', body: 'At noon.', actions: [{ id: 'yes', title: 'Yes' }], target: { members: [user_id] } },
      key,
    )
    await list.getByText('Lunch?').waitFor()
    await list.getByRole('button', { name: 'Yes' }).first().click()
    await list.getByRole('button', { name: 'Yes' }).waitFor({ state: 'detached' })

    await visit(page, 'settings')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    app.advanceSeconds(60)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
  })

  test('of a share, where no passkey is possible: gets a link to keep, which signs in and is then replaced', async () => {
    const owner = await app.addUser()
    await app.patch('/auth/me', { nickname: 'Ada' }, owner.token)
    await app.post('/activities', { slug: 'wash', name: 'Washing' }, owner.token)
    const { code } = await addCode(app, owner, 'wash')
    const page = await openInvitation(`${app.url}/app/#share=${code}`)
    await page.getByRole('heading', { name: 'Ada shares “wash” with you.' }).waitFor()
    await page.getByLabel('Your name').fill('Ben')
    await page.getByRole('button', { name: 'Join' }).click()
    expect(await page.getByRole('button', { name: 'Make a passkey on this device' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Give me a link to keep' }).click()
    const link = (await page.locator('code').textContent()) ?? ''
    expect(link).toContain(`${app.url}/app/#signin=`)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('heading', { name: 'Washing' }).first().waitFor()

    const later = await openInvitation(link)
    await later.getByText('You have used the link that you kept.').waitFor()
    await later.getByRole('button', { name: 'Give me a link to keep' }).click()
    expect(await later.locator('code').textContent()).not.toBe(link)
    await later.getByRole('button', { name: 'I have stored it' }).click()
    await later.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  nightlyTest.each([
    { ...HOME, keeps: 'Give me a link to keep' },
    { ...PUBLIC, keeps: 'Make a passkey on this device' },
  ])('gets from the link to the first message at $name, and signs in again', async ({ open, keeps }) => {
    const { app: server, origin } = await open(app)
    const org = await createOrganization(server)
    const page = await (await browser.newProfile()).newPage()
    await addVirtualAuthenticator(page)
    await page.goto(`${origin}/app/#org=${await invite(server, org)}`)
    await page.getByLabel('Your name').fill('Grace')
    await page.getByRole('button', { name: 'Join' }).click()
    const greeted = page.getByText('You are a member of “Example”.').waitFor()
    await page.getByRole('button', { name: keeps }).click()
    const link = page.locator('code').filter({ hasText: '#signin=' })
    const kept = keeps.includes('link') ? await link.textContent() : undefined
    if (kept) expect(kept).toContain(`${origin}/app/#signin=`)
    if (kept) await page.getByRole('button', { name: 'I have stored it' }).click()
    await greeted
    await server.post(`${org.path}/notifications`, { title: 'Lunch?', body: 'At noon.' }, org.owner.token)
    await page.getByRole('region', { name: 'Inbox' }).getByText('Lunch?').waitFor()

    await page.context().clearCookies()
    server.advanceSeconds(60)
    await page.goto('about:blank')
    await page.goto(kept ?? `${origin}/app/`)
    if (kept) await page.getByRole('button', { name: 'Later' }).click()
    else await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('region', { name: 'Inbox' }).getByText('Lunch?').waitFor()
  })

  test('is told what is wrong with a code; who has an account signs in and joins', async () => {
    const page = await openInvitation(`${app.url}/app/#org=22222222`)
    await page.getByText('This invitation does not work any more.').waitFor()
    await page.getByRole('button', { name: 'I have an account here' }).click()
    await page.getByText('Sign in to join.').waitFor()
    await page.getByLabel('Paste a one-time link').waitFor()
  })
})

// The code that the signed-out page shows.
const shownCode = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: 'Approve on another device of mine' }).click()
  return (await page.locator('.sign-in-code').textContent()) ?? ''
}

describe('another device', () => {
  test('approves a browser by the code of its screen; a refused one is told', async () => {
    const user = await app.addUser()
    await app.patch('/auth/me', { nickname: 'Ada' }, user.token)
    const { page: signedIn } = await browser.openConsole(app, user, {}, 'settings')
    const page = await openInvitation(`${app.url}/app/`)
    const code = await shownCode(page)
    await signedIn.getByRole('link', { name: 'Approve a sign-in' }).click()
    const field = signedIn.getByLabel('Code of the other screen')
    await field.fill('222-222')
    await signedIn.getByRole('button', { name: 'Continue' }).click()
    await signedIn.getByText('No browser waits with this code.').waitFor()
    await field.fill(code.toLowerCase())
    await signedIn.getByRole('button', { name: 'Continue' }).click()
    await signedIn.getByText(code, { exact: true }).waitFor()
    await signedIn.getByText('It is in the same network as you.').waitFor()
    await signedIn.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('You are signed in as Ada.').waitFor()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()

    const other = await openInvitation(`${app.url}/app/`)
    await field.fill(await shownCode(other))
    await signedIn.getByRole('button', { name: 'Continue' }).click()
    await signedIn.getByRole('button', { name: 'Refuse' }).click()
    await other.getByText('The request was refused or has expired.').waitFor()
    await other.getByRole('button', { name: 'Ask again' }).click()
    await eventually(async () => expect(await other.locator('.sign-in-code').count()).toBe(1))
  })
})

// The ways in, in the order of the page, and which of them stands out.
const waysOf = async (page: Page) => {
  await page.getByText('With the terminal of the server').waitFor()
  return {
    all: await page.locator('.sign-in-box').locator('button:visible, summary').allTextContents(),
    first: await page.locator('.sign-in-box .button-primary').allTextContents(),
  }
}

const DEVICE = 'Approve on another device of mine'
const TERMINAL = 'With the terminal of the server'

describe('the page of the signed-out', () => {
  test('offers a passkey first, then another device, a link by e-mail where mail is configured, and the terminal last', async () => {
    const page = await openInvitation(`${named()}/app/`)
    expect(await waysOf(page)).toEqual({
      all: ['Sign in with a passkey', DEVICE, 'Sign in', TERMINAL],
      first: ['Sign in with a passkey'],
    })
    await page.goto(`${app.url}/app/`)
    expect(await waysOf(page)).toEqual({ all: [DEVICE, 'Sign in', TERMINAL], first: [DEVICE] })

    const mail = { HELIOGRAPH_SMTP_URL: 'smtp://127.0.0.1:1', HELIOGRAPH_MAIL_FROM: 'helio@example.org' }
    const withMail = await startTestApp(mail)
    onTestFinished(() => withMail.stop())
    await page.goto(`${withMail.url.replace('127.0.0.1', 'localhost')}/app/`)
    const { all } = await waysOf(page)
    expect(all).toEqual(['Sign in with a passkey', DEVICE, 'E-mail me a link', 'Sign in', TERMINAL])
    await page.getByLabel('Your e-mail address').fill('nobody@example.org')
    await page.getByRole('button', { name: 'E-mail me a link' }).click()
    await page.getByText('If this address may sign in, a link is on its way.').waitFor()
  })

  test('has the command that fits how the server was started', async () => {
    const page = await openInvitation(`${app.url}/app/`)
    const shown = async (command: string) => {
      await page.getByText(TERMINAL).click()
      await page.locator('.sign-in-terminal code').filter({ hasText: command }).waitFor()
    }
    await shown('./heliograph signin')
    vi.stubEnv('SYSTEMD_EXEC_PID', String(process.pid))
    onTestFinished(() => void vi.unstubAllEnvs())
    await page.reload()
    await shown('sudo systemd-run')
    // Files outside of the test say that it is a container.
    await page.route('**/auth/ways', (route) => route.fulfill({ json: { email: false, started_as: 'container' } }))
    await page.reload()
    await shown('docker exec CONTAINER heliograph signin')
    await page.getByText('on the machine of the container').waitFor()
  })
})

nightlyTest.each(SIZES)('accessible in both themes, at $width px', async (size) => {
  app.advanceSeconds(60)
  const page = await (await browser.newProfile(size)).newPage()
  const inspect = async (name: string) => {
    const take = (scheme: string) => takePictureOfAll(page, `sign-in-${name}-${size.width}-${scheme}`)
    expect([name, ...(await seriousViolationsInBothThemes(page, take))]).toEqual([name])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
  await page.goto(`${named()}/app/`)
  await page.getByText('With the terminal of the server').click()
  await inspect('ways')
  await shownCode(page)
  await inspect('device')
  await page.goto(`${app.url}/app/#org=${await invite(app, await createOrganization(app))}`)
  await page.getByLabel('Your name').fill('Grace')
  await inspect('invited')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('button', { name: 'Give me a link to keep' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).waitFor()
  await inspect('keep')
})
