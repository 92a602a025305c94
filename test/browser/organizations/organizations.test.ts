// Organizations in the console, each person in a browser of their own: from the first invitation to a recalled message.
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PlanName } from '../../../src/contract/plans.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { signInLink, useBrowser, withoutSharedWorkers } from '../../support/browser/browser.ts'
import { readQrCode } from '../../support/browser/qr-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { sendTo } from '../../support/hooks/hook.ts'
import { nightlyTest } from '../../support/nightly.ts'
import {
  addGroup,
  createOrganization,
  invite,
  join,
  type TestOrganization,
} from '../../support/organizations/organization.ts'

const app = useTestApp()
const browser = useBrowser()

let ada: TestUser
let grace: TestUser
beforeEach(async () => {
  ada = await addPerson('Ada')
  grace = await addPerson('Grace', 'free')
})

async function addPerson(nickname: string, plan: PlanName = 'paid'): Promise<TestUser> {
  const user = await app.addUser(plan)
  await app.patch('/auth/me', { nickname }, user.token)
  return user
}

// An organization of Ada's, with Grace as a member.
async function createOrg(): Promise<TestOrganization> {
  const { id } = (await app.post('/orgs', { name: 'Example Hosting' }, ada.token)).body
  const org = { id, path: `/orgs/${id}`, owner: ada, admin: ada, members: [grace] }
  await join(app, org, [grace])
  return org
}

// The server of the test has no public URL, and links do not know the port that it was given.
const onThisServer = (link: string): string => `${app.url}/app/${new URL(link).hash}`

async function open(user: TestUser, path: string): Promise<Page> {
  return (await browser.openConsole(app, user, {}, path)).page
}

const inboxOf = async (user: TestUser) => (await app.get('/notifications', user.token)).body.items

describe('an organization', () => {
  nightlyTest('connects a tool by a webhook that sends with one of its keys, and sees its requests live', async () => {
    const { id, path } = await createOrg()
    const page = await open(ada, `organizations/${id}/webhooks`)
    await page.getByText('No webhook yet').waitFor()
    await page.getByRole('link', { name: 'New webhook' }).click()
    await page.getByRole('button', { name: 'Slack' }).click()
    await page.getByText('there is none that may send notifications').waitFor()
    expect(await page.getByRole('button', { name: 'Create the webhook' }).isDisabled()).toBe(true)

    await app.post(`${path}/keys`, { name: 'Monitoring', permissions: { notifications: 'send' } }, ada.token)
    await page.getByLabel('Sends with the key').waitFor()
    await page.getByRole('button', { name: 'Create the webhook' }).click()
    await page.getByText('Waiting for the first request').waitFor()
    const address = (await page.locator('.copyable code').first().textContent()) ?? ''
    expect((await sendTo(address, { text: 'nas1 is at 97 %.' })).status).toBe(200)
    await page.getByText('A request has arrived').waitFor()
    expect(await inboxOf(grace)).toMatchObject([{ body: 'nas1 is at 97 %.' }])

    await page.getByRole('link', { name: 'Go to the webhook' }).click()
    await page.getByText('Request 1').waitFor()
    await page.getByRole('link', { name: 'All webhooks' }).click()
    await page.getByRole('heading', { level: 1, name: 'Example Hosting' }).waitFor()
    await page.getByText('Receives requests').waitFor()
  })

  test('is created, invites by a link, sends to a group, and recalls; the member sees all of it live', async () => {
    const hers = await open(ada, 'organizations')
    await hers.getByText('You are in no organization yet.').waitFor()
    await hers.getByRole('button', { name: 'New organization' }).click()
    await hers.getByLabel('Name').fill('Example Hosting')
    await hers.getByRole('button', { name: 'Create', exact: true }).click()
    await hers.getByRole('heading', { level: 1, name: 'Example Hosting' }).waitFor()
    await hers.getByRole('link', { name: 'Groups' }).click()
    await hers.getByLabel('New group').fill('on-call')
    await hers.getByRole('button', { name: 'Add' }).first().click()
    await hers.getByRole('button', { name: 'Delete on-call' }).waitFor()

    await hers.getByRole('link', { name: 'Members' }).click()
    await hers.getByRole('button', { name: 'Invite' }).click()
    await hers.getByRole('checkbox', { name: 'on-call' }).check()
    await hers.getByLabel('How many people can join').fill('2')
    await hers.getByRole('button', { name: 'Create a code' }).click()
    await hers.getByRole('heading', { name: /^[2-9A-Z]{4}-[2-9A-Z]{4}$/ }).waitFor()
    const link = (await hers.locator('.copyable code').textContent()) ?? ''
    expect(await readQrCode(hers.getByRole('img', { name: 'QR code' }))).toBe(link)
    await hers.getByText('that address means their own device').waitFor()
    await hers.keyboard.press('Escape')

    const theirs = await open(grace, '')
    await theirs.goto(onThisServer(link))
    await theirs.getByRole('heading', { name: 'You are invited to “Example Hosting”.' }).waitFor()
    await theirs.getByText('You join as a member').waitFor()
    await theirs.getByRole('button', { name: 'Join' }).click()
    // Where what it sends arrives.
    await theirs.getByText('You are a member of “Example Hosting”.').waitFor()
    const row = hers.locator('.person-row', { hasText: 'Grace' })
    await row.getByText('on-call').waitFor()
    await hers.getByText('used 1 of 2').waitFor()

    await hers.getByRole('link', { name: 'Sent' }).click()
    await hers.getByText('Nothing was sent').waitFor()
    await hers.getByRole('link', { name: 'New notification' }).click()
    await hers.getByLabel('Title').fill('Database is down')
    await hers.getByLabel('Text', { exact: true }).fill('The primary does not answer.')
    await hers.getByRole('checkbox', { name: 'on-call' }).check()
    await hers.getByText('This reaches 1 member on 0 devices.').waitFor()
    expect(await inboxOf(grace)).toEqual([])
    await hers.getByRole('button', { name: 'Send', exact: true }).click()
    await hers.getByText('to 1 member on 0 devices, 1 stored · on-call').waitFor()

    const entry = theirs.getByRole('link', { name: 'Database is down' })
    await entry.getByText('Example Hosting').waitFor()
    await theirs.getByLabel('Organization', { exact: true }).selectOption('Example Hosting')
    await entry.waitFor()
    expect(await inboxOf(ada)).toEqual([])

    await hers.getByRole('button', { name: 'Recall Database is down' }).click()
    await hers.getByRole('dialog').getByRole('button', { name: 'Recall' }).click()
    await hers.getByText('Nothing was sent').waitFor()
    await app.runDueJobs()
    await entry.waitFor({ state: 'detached' })
    expect(await inboxOf(grace)).toEqual([])
  })

  nightlyTest('is left by a member, whose pages say so, and whose row disappears for its owner', async () => {
    const org = await createOrg()
    const hers = await open(ada, `organizations/${org.id}`)
    await hers.locator('.person-row', { hasText: 'Grace' }).waitFor()
    const theirs = await open(grace, `organizations/${org.id}/settings`)
    await theirs.getByRole('button', { name: 'Leave' }).click()
    await theirs.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await theirs.getByText('You are in no organization yet.').waitFor()
    await hers.locator('.person-row', { hasText: 'Grace' }).waitFor({ state: 'detached' })
    await hers.getByText('Owner · 1 member · Paid plan').waitFor()
    await hers.getByRole('button', { name: 'Leave' }).click()
    await hers.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await hers.getByRole('alert').filter({ hasText: 'You are the only owner.' }).waitFor()
  })

  nightlyTest('disappears from the open page of a member who is removed', async () => {
    const org = await createOrg()
    const theirs = await open(grace, `organizations/${org.id}`)
    await theirs.getByText('Member · 2 members').waitFor()
    const hers = await open(ada, `organizations/${org.id}`)
    await hers.getByRole('button', { name: 'Remove Grace' }).click()
    await hers.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await theirs.getByText('There is no such organization').waitFor()
  })

  nightlyTest('is renamed, and deleted only after its name is typed', async () => {
    const org = await createOrg()
    const theirs = await open(grace, `organizations/${org.id}`)
    await theirs.getByRole('heading', { level: 1, name: 'Example Hosting' }).waitFor()
    await app.post(`${org.path}/notifications`, { title: 'Office closed', body: 'On Friday.' }, ada.token)
    const inbox = await open(grace, '')
    await inbox.getByRole('link', { name: 'Office closed' }).getByText('Example Hosting').waitFor()
    const hers = await open(ada, `organizations/${org.id}/settings`)
    await hers.getByLabel('Name of the organization').fill('Example Cloud')
    await hers.getByRole('button', { name: 'Save' }).click()
    await hers.getByText('Saved.').waitFor()
    await app.runDueJobs()
    await theirs.getByRole('heading', { level: 1, name: 'Example Cloud' }).waitFor()
    await inbox.getByRole('link', { name: 'Office closed' }).getByText('Example Cloud').waitFor()
    await hers.getByRole('button', { name: 'Delete' }).click()
    const dialog = hers.getByRole('dialog', { name: 'Delete “Example Cloud”?' })
    await dialog.getByLabel('Type the name').fill('Example')
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type the name').fill('Example Cloud')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await hers.getByText('You are in no organization yet.').waitFor()
    await app.runDueJobs()
    await theirs.getByText('There is no such organization').waitFor()
  })

  nightlyTest('needs the paid plan of the person who creates it, who is told so', async () => {
    const page = await open(grace, 'organizations')
    await page.getByRole('button', { name: 'New organization' }).click()
    await page.getByRole('alert').filter({ hasText: 'needs a paid plan' }).waitFor()
    await page.getByLabel('Name').fill('Mine')
    expect(await page.getByRole('button', { name: 'Create', exact: true }).isDisabled()).toBe(true)
  })
})

describe('the event stream of an organization', () => {
  const setHidden = (page: Page, isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
      document.dispatchEvent(new Event('visibilitychange'))`)

  nightlyTest('is closed while the tab is hidden; what was missed is shown when it is visible again', async () => {
    const org = await createOrg()
    const { page } = await browser.openConsole(app, ada)
    await withoutSharedWorkers(page)
    await page.goto(`${app.url}/app/organizations/${org.id}/groups`)
    await page.getByText('There is no group yet.').waitFor()
    const closed = page.waitForEvent('requestfailed', (request) => request.url().endsWith(`${org.path}/events`))
    await setHidden(page, true)
    await closed
    await addGroup(app, org, 'ops')
    expect(await page.getByText('ops', { exact: true }).count()).toBe(0)
    await setHidden(page, false)
    await page.getByText('ops', { exact: true }).waitFor()
  })
})

describe('roles', () => {
  test('a member has no control that changes anything; an owner makes an admin, whose page changes at once', async () => {
    const org = await createOrg()
    const theirs = await open(grace, `organizations/${org.id}`)
    const menu = theirs.locator('.side-group > .side-link > span:first-of-type')
    await theirs.locator('.person-row').first().waitFor()
    await eventually(async () => expect(await menu.allTextContents()).toEqual(['Live', 'People', 'Settings']))
    expect(await theirs.locator('main').getByRole('button').allTextContents()).toEqual(['Mute', ''])

    const hers = await open(ada, `organizations/${org.id}`)
    await hers.getByLabel('Role of Grace').selectOption('Admin')
    await theirs.getByRole('button', { name: 'Invite' }).waitFor()
    const ALL = ['Sent', 'Live', 'Planned', 'Connections', 'On call', 'People', 'Settings']
    await eventually(async () => expect(await menu.allTextContents()).toEqual(ALL))
    expect(await theirs.getByRole('button', { name: 'Remove Ada' }).count()).toBe(0)
  })

  nightlyTest('the last owner cannot be lowered, and the page says why', async () => {
    const org = await createOrg()
    const page = await open(ada, `organizations/${org.id}`)
    await page.getByLabel('Role of Ada').selectOption('Member')
    await page.getByRole('alert').filter({ hasText: 'You are the only owner.' }).waitFor()
    expect(await page.getByLabel('Role of Ada').inputValue()).toBe('owner')
  })

  nightlyTest('a member mutes the organization for themselves, and unmutes it', async () => {
    const org = await createOrg()
    const page = await open(grace, `organizations/${org.id}`)
    await page.clock.setFixedTime(app.app.ctx.clock.now())
    await page.getByRole('button', { name: 'Mute' }).click()
    await page.getByLabel('For').selectOption('1 week')
    await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).click()
    await page.getByText('muted until').waitFor()
    await page.getByRole('button', { name: 'Unmute' }).click()
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
    expect((await app.get(`${org.path}/members/me`, grace.token)).body.muted_until).toBeUndefined()
  })
})

describe('groups and tags', () => {
  nightlyTest('a group is renamed, and its members are chosen one by one', async () => {
    const org = await createOrg()
    const groupId = await addGroup(app, org, 'ops')
    const page = await open(ada, `organizations/${org.id}/groups`)
    await page.getByRole('button', { name: 'Rename ops' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('first line')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Choose the members of first line' }).click()
    await page.getByRole('checkbox', { name: 'Grace' }).click()
    await page.getByText('1 member', { exact: true }).waitFor()
    expect((await app.get(`${org.path}/members/${grace.userId}`, ada.token)).body.group_ids).toEqual([groupId])
    await page.getByRole('checkbox', { name: 'Grace' }).click()
    await page.getByText('0 members', { exact: true }).waitFor()
  })

  nightlyTest('one that a key names is deleted only after a second confirmation, which says what uses it', async () => {
    const org = await createOrg()
    const groupId = await addGroup(app, org, 'ops')
    await app.post(`${org.path}/keys`, { name: 'CI', permissions: {}, target: { group_ids: [groupId] } }, ada.token)
    const page = await open(ada, `organizations/${org.id}/groups`)
    await page.getByRole('button', { name: 'Delete ops' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alert').filter({ hasText: 'Still used by 1 key.' }).waitFor()
    await page.getByRole('button', { name: 'Delete anyway' }).click()
    await page.getByText('There is no group yet.').waitFor()
    await page.getByRole('link', { name: 'Connections' }).first().click()
    await page.getByRole('link', { name: 'Keys' }).last().click()
    await page.getByText('Reaches only a deleted group').waitFor()
  })

  nightlyTest('a tag counts the devices that carry it; a member puts it on a device from a suggestion', async () => {
    const org = await createOrg()
    await app.put('/devices/tablet', { name: 'Tablet', platform: 'web' }, grace.token)
    const hers = await open(ada, `organizations/${org.id}/groups`)
    await hers.getByLabel('New tag').fill('wall')
    await hers.getByRole('button', { name: 'Add' }).last().click()
    await hers.getByText('on 0 devices').waitFor()
    const theirs = await open(grace, 'devices')
    await theirs.getByRole('button', { name: 'Edit' }).click()
    await theirs.getByRole('button', { name: 'wall' }).click()
    await theirs.getByRole('button', { name: 'Save' }).click()
    await theirs.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await app.get('/devices', grace.token)).body.items).toMatchObject([{ tags: ['wall'] }])
    await hers.reload()
    await hers.getByText('on 1 device', { exact: true }).waitFor()
  })

  nightlyTest('a name that is taken is refused with words', async () => {
    const org = await createOrg()
    await addGroup(app, org, 'ops')
    const page = await open(ada, `organizations/${org.id}/groups`)
    await page.getByLabel('New group').fill('ops')
    await page.getByRole('button', { name: 'Add' }).first().click()
    await page.getByRole('alert').filter({ hasText: 'already used' }).waitFor()
  })
})

describe('keys and usage', () => {
  nightlyTest('a key is limited to a group, used, shown with its reach, and its limit is lifted', async () => {
    const org = await createOrg()
    await addGroup(app, org, 'ops', [grace])
    const page = await open(ada, `organizations/${org.id}/keys`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('CI')
    expect(await page.getByLabel('Widgets').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'ops' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
    const key = (await page.locator('.copyable code').first().textContent()) ?? ''
    expect((await app.post('/notifications', { title: 'T', body: 'B' }, key)).body.recipients.members).toBe(1)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('Reaches only ops').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('checkbox', { name: 'ops' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Reaches the whole organization').waitFor()
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByRole('link', { name: 'Usage' }).last().click()
    await page.getByLabel('Notifications').getByText('1', { exact: true }).waitFor()
  })
})

describe('a question to the organization', () => {
  const QUESTION = { title: 'Ship it?', body: 'Version 2.4.', actions: [{ id: 'yes', title: 'Ship' }] }

  test('shows the other members and the senders who answered', async () => {
    const org = await createOrg()
    const mary = await addPerson('Mary')
    await join(app, org, [mary])
    await app.post(`${org.path}/notifications`, QUESTION, ada.token)
    const [entry] = await inboxOf(mary)
    const sender = await open(ada, `organizations/${org.id}/sent`)
    await sender.getByRole('heading', { name: 'Ship it?' }).waitFor()
    const other = await open(mary, `n/${entry.id}`)
    await other.getByRole('button', { name: 'Ship', exact: true }).waitFor()
    const answering = await open(grace, '')
    await answering.getByRole('link', { name: 'Ship it?' }).click()
    await answering.getByRole('button', { name: 'Ship', exact: true }).click()
    await answering.getByText('by you').waitFor()
    await app.runDueJobs()
    await other.getByText('by Grace').waitFor()
    await sender.getByText('by Grace').waitFor()
  })

  nightlyTest('that repeats is stopped by an owner, and not by a member', async () => {
    const org = await createOrg()
    await app.post(`${org.path}/notifications`, { ...QUESTION, acknowledge: {} }, ada.token)
    const [entry] = await inboxOf(grace)
    const theirs = await open(grace, `n/${entry.id}`)
    await theirs.getByText('Waiting to be acknowledged').waitFor()
    expect(await theirs.getByRole('button', { name: 'Stop repeating' }).count()).toBe(0)
    const hers = await open(ada, `organizations/${org.id}/sent`)
    await hers.getByRole('button', { name: 'Stop repeating' }).click()
    await hers.getByText('Stopped').waitFor()
    await app.runDueJobs()
    await theirs.getByText('Stopped').waitFor()
  })
})

describe('the invitation link', () => {
  nightlyTest('is kept in this tab while the person signs in, and no request has the code in its address', async () => {
    const org = await createOrganization(app)
    const code = await invite(app, org)
    const page = await (await browser.newProfile()).newPage()
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await page.goto(`${app.url}/app/#org=${code}`)
    await page.getByRole('button', { name: 'I have an account here' }).waitFor()
    await page.goto(await signInLink(app, grace.userId))
    await page.getByRole('heading', { name: 'You are invited to “Example”.' }).waitFor()
    expect(page.url()).toBe(`${app.url}/app/organizations/join`)
    expect(addresses.filter((address) => address.split('#')[0]?.includes(code))).toEqual([])
    expect((await app.get('/orgs', grace.token)).body.items).toEqual([])
  })

  nightlyTest('of a code that cannot be used says why', async () => {
    const page = await open(grace, 'organizations')
    await page.getByLabel('Join by code').fill('aaaa-2222')
    await page.keyboard.press('Enter')
    await page.getByText('mistyped, used up, expired or deleted').waitFor()
  })
})
