// What owners, admins and members do on the pages of an organization.
import { beforeAll, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { useConsole } from '../../support/browser/console-page.ts'
import { eventually } from '../../support/eventually.ts'
import { addGroup, join, type TestOrganization } from '../../support/organizations/organization.ts'

const app = useTestApp()
const openPage = useConsole(app)

let ada: TestUser
let org: TestOrganization

beforeAll(async () => {
  ada = await addPerson('Ada')
  org = await organizationOf(ada)
})

async function addPerson(nickname: string): Promise<TestUser> {
  const user = await app.addUser()
  await app.patch('/auth/me', { nickname }, user.token)
  return user
}

async function organizationOf(owner: TestUser): Promise<TestOrganization> {
  const { id } = (await app.post('/orgs', { name: 'Example Hosting' }, owner.token)).body
  return { id, path: `/orgs/${id}`, owner, admin: owner, members: [] }
}

async function addMember(nickname: string): Promise<TestUser> {
  const user = await addPerson(nickname)
  await join(app, org, [user])
  return user
}

const open = (user: TestUser, tab = '') => openPage(user, `organizations/${org.id}${tab && `/${tab}`}`)
const memberOf = async (user: TestUser) => (await app.get(`${org.path}/members/${user.userId}`, ada.token)).body

test('an owner gives roles, removes members after a confirmation, and is told why the last owner stays', async () => {
  const mary = await addMember('Mary')
  const page = await open(ada)
  await page.choose('Role of Mary', 'Admin')
  await eventually(async () => expect((await memberOf(mary)).role).toBe('admin'))
  await page.choose('Role of Ada', 'Member')
  await page.see('You are the only owner.')
  expect((await memberOf(ada)).role).toBe('owner')
  await page.press('Remove Mary')
  await page.see('Remove Mary?')
  expect((await memberOf(mary)).role).toBe('admin')
  await page.press('Remove', '.dialog')
  await page.seeNoMore('Mary')
  expect((await memberOf(mary))?.role).toBeUndefined()
})

test('an invitation is for the role, the number of people and the time that were chosen, and is deleted', async () => {
  const page = await open(ada)
  await page.press('Invite')
  await page.choose('They join as', 'Admin: also sends, and manages members, groups and keys')
  await page.fill('How many people can join', '2')
  await page.choose('The code is valid for', '7 days')
  await page.press('Create a code')
  await page.see('2 people can join as admins until')
  const invitations = async () => (await app.get(`${org.path}/invitations`, ada.token)).body.items
  const [invitation] = (await invitations()).filter(({ use_count }: { use_count: number }) => use_count === 0)
  expect(invitation).toMatchObject({ role: 'admin', max_uses: 2 })
  expect(Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)).toBe(604_800_000)
  await page.press('Close')
  await page.see('Admin · used 0 of 2')
  await page.press(/^Delete code/, 'Admin · used 0 of 2')
  await page.seeNoMore('Admin · used 0 of 2')
  expect(await invitations()).not.toContainEqual(invitation)
})

test('a member sees no page of its senders, an admin does, and gives no roles, removes members only, deletes nothing', async () => {
  const grace = await addMember('Grace')
  const john = await addMember('John')
  const page = await open(grace)
  const menu = (names: string[]) =>
    eventually(async () => expect(await page.all('.side-group .side-link')).toEqual(names))
  await menu(['Live', 'People', 'Settings'])
  // What is not for members leads to the list of members.
  for (const tab of ['keys', 'sent']) {
    await page.visit(`organizations/${org.id}/${tab}`)
    await eventually(async () => expect([tab, ...(await page.buttons())]).toEqual([tab, 'Mute', 'Leave']))
  }
  await app.patch(`${org.path}/members/${grace.userId}`, { role: 'admin' }, ada.token)
  await menu(['Sent', 'Live', 'Planned', 'Connections', 'On call', 'People', 'Settings'])
  await page.visit(`organizations/${org.id}`)
  await page.see('Invite')
  await page.see('John')
  expect(await page.all('.person-rows select')).toEqual([])
  const removing = (await page.all('.person-rows button')).filter((name) => /^Remove/.test(name))
  expect(removing).toContain('Remove John')
  expect(removing).not.toContain('Remove Ada')
  await page.visit(`organizations/${org.id}/settings`)
  await page.see('Leave the organization')
  await eventually(async () => expect(await page.buttons()).toEqual(['Save', 'Leave']))
  await page.press('Leave')
  await page.see('Leave “Example Hosting”?')
  expect((await memberOf(grace)).role).toBe('admin')
  await page.press('Leave', '.dialog')
  await page.see('You have left.')
  expect((await memberOf(grace))?.role).toBeUndefined()
  expect((await memberOf(john)).role).toBe('member')
})

test('a key is limited to a group; the group is then deleted only after a second confirmation, which says so', async () => {
  const grace = await addMember('Grace')
  await addGroup(app, org, 'ops', [grace])
  const page = await open(ada, 'keys')
  await page.press('New key')
  await page.fill('Name', 'CI')
  await page.see('ops')
  await page.check('ops')
  await page.press('New key', '.dialog')
  await page.see('It is shown only once')
  const [secret = ''] = await page.all('.copyable code')
  expect((await app.post('/notifications', { title: 'T', body: 'B' }, secret)).body.recipients.members).toBe(1)
  await page.press('I have saved it')
  await page.see('Reaches only ops')
  await page.visit(`organizations/${org.id}/groups`)
  await page.press('Delete ops')
  await page.see('Its members stay in the organization.')
  await page.press('Delete', '.dialog')
  await page.see('Still used by 1 key.')
  expect((await app.get(`${org.path}/groups`, ada.token)).body.items).toHaveLength(1)
  await page.press('Delete anyway')
  await page.see('There is no group yet.')
  await page.visit(`organizations/${org.id}/keys`)
  await page.see('Reaches only a deleted group')
})

test('it is renamed, and deleted by its owner only after its name is typed', async () => {
  const { id } = await organizationOf(ada)
  const page = await openPage(ada, `organizations/${id}/settings`)
  await page.fill('Name of the organization', 'Example Cloud')
  await page.press('Save')
  await eventually(async () => expect(await page.all('h1')).toEqual(['Example Cloud']))
  await page.press('Delete')
  await page.see('Delete “Example Cloud”?')
  await page.fill('Type the name to confirm: Example Cloud', 'Example')
  const { isDisabled, look } = await page.button('Delete', '.dialog')
  expect([isDisabled, look]).toEqual([true, 'danger'])
  await page.fill('Type the name to confirm: Example Cloud', 'Example Cloud ')
  await page.press('Delete', '.dialog')
  await page.seeNoMore('Example Cloud')
  await eventually(async () => expect((await app.get(`/orgs/${id}`, ada.token)).status).toBe(404))
})
