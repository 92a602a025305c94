// Sharing between two accounts, each in a browser of its own: the dialog, the link, live changes, roles and leaving.
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PlanName } from '../../src/contract/plans.ts'
import { type TestUser, useTestApp } from '../support/app.ts'
import { signInLink, useBrowser } from '../support/browser/browser.ts'
import { readQrCode } from '../support/browser/qr-reader.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

let ada: TestUser
let grace: TestUser
beforeEach(async () => {
  ada = await addPerson('Ada', 'paid')
  grace = await addPerson('Grace', 'free')
})

async function addPerson(nickname: string, plan: PlanName): Promise<TestUser> {
  const user = await app.addUser(plan)
  await app.patch('/auth/me', { nickname }, user.token)
  return user
}

const WASHING = { template: 'generic', state: 'Rinsing', progress: 0.5 }

async function startActivity(owner: TestUser, slug: string, content: object = WASHING): Promise<string> {
  const { status, body } = await app.patch(
    `/activities/${slug}?upsert=true`,
    { state: 'ongoing', content },
    owner.token,
  )
  expect(status).toBe(201)
  return body.id
}

// Returns the share link.
async function shareActivity(slug: string, code: object = {}): Promise<string> {
  const { status, body } = await app.post(`/activities/${slug}/share`, code, ada.token)
  expect(status).toBe(201)
  return onThisServer(body.share_url)
}

// The server of the test has no public URL, and links do not know the port that it was given.
const onThisServer = (link: string): string => `${app.url}/app/${new URL(link).hash}`

async function join(user: TestUser, link: string): Promise<void> {
  const { status } = await app.post('/shares/join', { code: link.split('=')[1] }, user.token)
  expect(status).toBe(201)
}

async function open(user: TestUser, path: string): Promise<Page> {
  return (await browser.openConsole(app, user, {}, path)).page
}

const idsOf = async (user: TestUser): Promise<string[]> =>
  (await app.get('/activities', user.token)).body.items.map(({ id }: { id: string }) => id)

describe('an activity', () => {
  test('is shared by the dialog, joined by its link, moves live, and is gone after leaving', async () => {
    await startActivity(ada, 'dishwasher')
    const hers = await open(ada, 'activities/dishwasher')
    await hers.getByRole('button', { name: 'Share' }).click()
    const dialog = hers.getByRole('dialog', { name: 'Share “dishwasher”' })
    await dialog.getByText('Nobody has joined yet.').waitFor()
    await dialog.getByLabel('How many people can join').fill('2')
    await dialog.getByLabel('The code is valid for').selectOption('7 days')
    await dialog.getByRole('button', { name: 'Create a code' }).click()
    await dialog.getByRole('heading', { name: /^[2-9A-Z]{4}-[2-9A-Z]{4}$/ }).waitFor()
    const link = (await dialog.locator('.copyable code').textContent()) ?? ''
    expect(await readQrCode(dialog.getByRole('img', { name: 'QR code' }))).toBe(link)

    const theirs = await open(grace, '')
    await theirs.goto(onThisServer(link))
    await theirs.getByRole('heading', { name: 'Ada shares the activity “dishwasher” with you.' }).waitFor()
    await theirs.getByText('updates arrive as pushes').waitFor()
    await theirs.getByRole('button', { name: 'Join' }).click()
    await theirs.getByText('from Ada').waitFor()
    await dialog.getByText('Grace', { exact: true }).waitFor()
    await dialog.getByText('used 1 of 2').waitFor()

    await theirs.evaluate('window.wasLoadedOnce = true')
    await app.patch('/activities/dishwasher', { content: { state: 'Drying' } }, ada.defaultKey)
    await theirs.getByText('Drying').first().waitFor()
    expect(await theirs.evaluate('window.wasLoadedOnce')).toBe(true)

    await theirs.getByRole('button', { name: 'Leave' }).click()
    await theirs.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await theirs.getByText('There is no activity yet.').waitFor()
    expect(await idsOf(grace)).toEqual([])
    await dialog.getByText('Nobody has joined yet.').waitFor()
  })

  nightlyTest('shows its owner how many it is shared with, and the others whose it is', async () => {
    await startActivity(ada, 'dishwasher')
    const link = await shareActivity('dishwasher', { max_uses: 2 })
    await join(grace, link)
    await join(await app.addUser(), link)
    await app.patch('/auth/me', { nickname: null }, ada.token)
    await (await open(ada, 'activities')).getByText('shared with 2').waitFor()
    await (await open(grace, 'activities')).getByText('from another account').waitFor()
  })

  nightlyTest(
    'of another account and an own one with the same slug are two cards with pages of their own',
    async () => {
      const theirId = await startActivity(ada, 'build', { ...WASHING, state: 'Ada builds' })
      await join(grace, await shareActivity('build'))
      await startActivity(grace, 'build', { ...WASHING, state: 'Grace builds' })
      const page = await open(grace, 'activities')
      await page.getByText('Grace builds').waitFor()
      const links = page.locator('.grid-caption a')
      expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
        '/app/activities/build',
        `/app/activities/${theirId}`,
      ])
      await links.nth(1).click()
      await page.getByText('from Ada').waitFor()
      await page.getByText('Ada builds').first().waitFor()
    },
  )

  nightlyTest('disappears from the open pages of a person whom its owner removes', async () => {
    const id = await startActivity(ada, 'dishwasher')
    await join(grace, await shareActivity('dishwasher'))
    const list = await open(grace, 'activities')
    await list.getByText('from Ada').waitFor()
    const detail = await open(grace, `activities/${id}`)
    await detail.getByText('from Ada').waitFor()
    const page = await open(ada, 'shares')
    await page.getByRole('button', { name: 'Remove Grace' }).click()
    await page.getByRole('dialog', { name: 'Stop sharing with Grace?' }).getByRole('button', { name: 'Remove' }).click()
    await list.getByText('There is no activity yet.').waitFor()
    await detail.getByText('There is no such activity').waitFor()
    expect(await idsOf(grace)).toEqual([])
  })
})

describe('roles', () => {
  const OPTIONS = [
    { id: 'ship', title: 'Ship' },
    { id: 'hold', title: 'Hold' },
  ]
  const QUESTION = { template: 'approval', state: 'Ship?', options: OPTIONS }
  const TIMER = { template: 'countdown', alarm: true, end_date: Math.floor(Date.now() / 1000) + 3600 }

  test('a viewer has no button that changes it; an editor has all but Delete, as soon as the role is changed', async () => {
    const mary = await addPerson('Mary', 'paid')
    const id = await startActivity(ada, 'release', QUESTION)
    await join(mary, await shareActivity('release'))
    const theirs = await open(mary, `activities/${id}`)
    await theirs.getByText('Waiting for an answer from the owner or an editor.').waitFor()
    const buttons = theirs.locator('main').locator('button, a.button')
    expect(await buttons.allTextContents()).toEqual(['Leave'])

    const hers = await open(ada, 'activities/release')
    await hers.getByRole('button', { name: 'Share' }).click()
    await hers.getByLabel('Role of Mary').selectOption('Editor')
    await theirs.getByRole('button', { name: 'Ship' }).waitFor()
    expect(await buttons.allTextContents()).toEqual(['End it', 'Edit', 'Leave', 'Ship', 'Hold'])
    await theirs.getByRole('button', { name: 'Ship' }).click()
    await hers.locator('main').getByText('Answered: Ship').waitFor()
  })

  nightlyTest('a viewer cannot snooze; an editor can, and edits it in the builder', async () => {
    const mary = await addPerson('Mary', 'paid')
    const id = await startActivity(ada, 'pizza', TIMER)
    const link = await shareActivity('pizza', { max_uses: 2 })
    await join(grace, link)
    const viewers = await open(grace, `activities/${id}/edit`)
    await viewers.getByText('from Ada').waitFor()
    expect(await viewers.getByRole('button', { name: 'Snooze' }).count()).toBe(0)

    await join(mary, await shareActivity('pizza', { role: 'editor' }))
    const page = await open(mary, `activities/${id}`)
    await page.getByRole('button', { name: 'Snooze' }).click()
    await page.getByText('Snoozed.').waitFor()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('State').fill('Almost done')
    await page.getByText('Valid: the server accepts this.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('from Ada').waitFor()
    expect((await app.get('/activities/pizza', ada.token)).body.content.state).toBe('Almost done')
    expect(await idsOf(mary)).toEqual([id])
  })

  nightlyTest('a refused change of a role says why, and the role stays', async () => {
    await startActivity(ada, 'dishwasher')
    await join(grace, await shareActivity('dishwasher'))
    const page = await open(ada, 'activities/dishwasher')
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByLabel('Role of Grace').selectOption('Editor')
    await page.getByRole('alert').filter({ hasText: 'An editor needs a paid plan' }).waitFor()
    expect(await page.getByLabel('Role of Grace').inputValue()).toBe('viewer')
  })
})

describe('the link', () => {
  nightlyTest('is kept in this tab while the person signs in, and no request has the code in its address', async () => {
    await startActivity(ada, 'dishwasher')
    const link = await shareActivity('dishwasher')
    const code = link.split('=')[1] as string
    const page = await (await browser.newProfile()).newPage()
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await page.goto(link)
    await page.getByText('Sign in to see it.').waitFor()
    await page.goto(await signInLink(app, grace.userId))
    await page.getByRole('heading', { name: 'Ada shares the activity “dishwasher” with you.' }).waitFor()
    expect(page.url()).toBe(`${app.url}/app/shares/join`)
    expect(addresses.filter((address) => address.split('#')[0]?.includes(code))).toEqual([])
  })

  nightlyTest('opens in a tab with the console, also after a sign-in link was pasted', async () => {
    await startActivity(ada, 'dishwasher')
    const page = await (await browser.newProfile()).newPage()
    await page.goto(`${app.url}/app/`)
    await page.getByText('one-time link').waitFor()
    await page.goto(await shareActivity('dishwasher'))
    await page.getByText('Sign in to see it.').waitFor()
    await page.getByLabel('Paste a one-time link').fill(await signInLink(app, grace.userId))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Join' }).waitFor()
  })

  nightlyTest('joins nothing by itself: "Not now" leads to the inbox and forgets the code', async () => {
    await startActivity(ada, 'dishwasher')
    const link = await shareActivity('dishwasher')
    const page = await open(grace, '')
    await page.goto(link)
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await idsOf(grace)).toEqual([])
    expect((await app.get('/shares/codes', ada.token)).body.items).toMatchObject([{ use_count: 0 }])
  })

  nightlyTest('of a code that cannot be used says why', async () => {
    await startActivity(ada, 'dishwasher')
    const page = await open(grace, '')
    await page.goto(`${app.url}/app/#share=AAAA2222`)
    await page.getByText('mistyped, used up, expired or deleted').waitFor()
    await page.goto(await shareActivity('dishwasher', { role: 'editor' }))
    await page.getByText('Editors need a paid plan.').waitFor()
    const hers = await open(ada, '')
    await hers.goto(await shareActivity('dishwasher'))
    await hers.getByText('This is your own code.').waitFor()
  })
})

describe('the page of shares', () => {
  nightlyTest('shares a pattern; its code is typed in any form; leaving it leaves all it covers', async () => {
    const mary = await addPerson('Mary', 'paid')
    await startActivity(ada, 'deploy-1')
    const hers = await open(ada, 'shares')
    await hers.getByRole('button', { name: 'Share several' }).click()
    await hers.getByLabel('Activities', { exact: true }).fill('deploy-*')
    await hers.getByRole('button', { name: 'Create a code' }).click()
    const letters = (await hers.locator('.shown-code-letters').textContent()) ?? ''
    await hers.keyboard.press('Escape')

    const page = await open(mary, 'shares')
    await page.getByLabel('Join by code').fill(letters.toLowerCase().replace('-', ' '))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ada shares all activities that begin with “deploy-”' }).waitFor()
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('link', { name: 'deploy-1' }).waitFor()
    await startActivity(ada, 'deploy-2')
    await page.getByRole('link', { name: 'deploy-2' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByText('All activities that match deploy-*').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByText('There is no activity yet.').waitFor()
    expect(await idsOf(mary)).toEqual([])
  })

  nightlyTest('lists open codes, which are shown again and deleted', async () => {
    await startActivity(ada, 'dishwasher')
    const link = await shareActivity('dishwasher')
    const page = await open(ada, 'shares')
    await page.getByRole('button', { name: 'Show code' }).click()
    await page.getByRole('dialog').getByText(new URL(link).hash).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete code' }).click()
    await page.getByText('No code is open.').waitFor()
    expect((await app.get('/shares/codes', ada.token)).body.items).toEqual([])
  })

  nightlyTest('loads the script that draws QR codes with the first code', async () => {
    await startActivity(ada, 'dishwasher')
    await shareActivity('dishwasher')
    const page = await open(ada, '')
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    const drawsQrCodes = () => scripts.some((url) => url.includes('/qr-code-'))
    await page.goto(`${app.url}/app/shares`)
    const show = page.getByRole('button', { name: 'Show code' })
    await show.waitFor()
    expect(drawsQrCodes()).toBe(false)
    await show.click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    expect(drawsQrCodes()).toBe(true)
  })

  nightlyTest('tells an owner on the free plan what sharing needs', async () => {
    await startActivity(grace, 'dishwasher')
    const page = await open(grace, 'activities/dishwasher')
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Create a code' }).click()
    await page.getByRole('alert').filter({ hasText: 'Sharing needs a paid plan.' }).waitFor()
  })
})

describe('the keyboard', () => {
  nightlyTest(
    'creates a code, reaches the code it made, and returns to the button that opened the dialog',
    async () => {
      await startActivity(ada, 'dishwasher')
      const page = await open(ada, 'activities/dishwasher')
      const share = page.getByRole('button', { name: 'Share' })
      await share.focus()
      await page.keyboard.press('Enter')
      const create = page.getByRole('button', { name: 'Create a code' })
      await create.waitFor()
      const focused = page.locator(':focus')
      for (let presses = 0; presses < 10 && (await create.and(focused).count()) === 0; presses++) {
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('Enter')
      await page
        .getByRole('heading', { name: /^.{4}-.{4}$/ })
        .and(focused)
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await share.and(focused).waitFor()
    },
  )
})
