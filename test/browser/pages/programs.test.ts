// The pages for programs: keys, webhooks, heartbeats and escalation policies.
import { beforeAll, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { useConsole } from '../../support/browser/console-page.ts'
import { addHook, sendTo } from '../../support/hooks/hook.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'
import { addGroup } from '../../support/organizations/organization.ts'

const app = useTestApp()
const openPage = useConsole(app)
const heartbeats = heartbeatsOf(app)
let user: TestUser

beforeAll(async () => {
  user = await app.addUser()
})

test('a key keeps what the form does not show, and is rolled and revoked after a confirmation', async () => {
  const first = await app.addKey(user, { name: 'CI', permissions: { notifications: 'send', widgets: 'read' } })
  const page = await openPage(user, 'keys')
  await page.see('Never used')
  // What may do everything is not edited.
  expect((await page.buttons()).filter((name) => name === 'Edit')).toHaveLength(1)
  await page.press('Edit')
  await page.fill('Pushes per minute, at most', '20')
  await page.fill('Expires at', '2030-01-02T03:04')
  await page.press('Save')
  await page.see('At most 20 pushes a minute')
  const one = async () =>
    (await app.get('/integrations/keys', user.token)).body.find(({ name }: { name: string }) => name === 'CI')
  // The browser is in Berlin.
  expect(await one()).toMatchObject({
    permissions: { notifications: 'send', widgets: 'read', activities: 'none' },
    storm: { pushes_per_minute: 20 },
    expires_at: '2030-01-02T02:04:00.000Z',
  })
  await page.press('Roll', 'CI')
  await page.see('New secret for “CI”?')
  expect((await app.get('/auth/me', first)).status).toBe(200)
  await page.press('Roll', '.dialog')
  await page.see('The secret of “CI”')
  const [second = ''] = await page.all('.copyable code')
  expect((await app.get('/auth/me', first)).status).toBe(401)
  expect((await app.get('/auth/me', second)).status).toBe(200)
  await page.press('I have saved it')
  await page.press('Revoke', 'CI')
  await page.see('Revoke “CI”?')
  await page.press('Revoke', '.dialog')
  await page.seeNoMore('Read widgets')
  expect((await app.get('/auth/me', second)).status).toBe(401)
})

test('a webhook keeps the options that are chosen, and no others', async () => {
  const options = { level: { warning: 'critical' } }
  const hook = await addHook(app, { kind: 'github', secret: 'long enough', options }, user)
  const page = await openPage(user, `webhooks/${hook.id}`)
  await page.see('By severity: warning → critical')
  await page.press('Edit')
  await page.choose('Repeat until acknowledged', 'Alerts from level critical on')
  await page.choose('When an alert ends', 'Add it to the inbox as read, without a push')
  await page.choose('CI runs', 'A live activity that ends with the run')
  await page.fill('Events', 'push, pull_request.opened')
  await page.check('Require no secret any more')
  await page.press('Save')
  await page.see('push, pull_request.opened')
  const saved = (await app.get(hook.path, user.token)).body
  expect([saved.has_secret, saved.options]).toEqual([
    false,
    {
      level: { warning: 'critical' },
      acknowledge_from: 'critical',
      resolved: 'quiet',
      as: 'activity',
      events: ['push', 'pull_request.opened'],
    },
  ])
})

test('a webhook gets a new address, and is deleted, after a confirmation', async () => {
  const hook = await addHook(app, { name: 'Door' }, user)
  await hook.send({ title: 'First' })
  const page = await openPage(user, `webhooks/${hook.id}`)
  await page.press('New address')
  await page.see('New address for “Door”?')
  expect((await hook.send({ title: 'Second' })).status).toBe(200)
  await page.press('New address', '.dialog')
  await page.see('Waiting for a request at the new address')
  const [address = ''] = await page.all('.copyable code')
  expect((await hook.send({ title: 'Late' })).status).toBe(404)
  expect((await sendTo(address, { title: 'Third' })).status).toBe(200)
  await page.press('Delete')
  await page.see('Delete “Door”?')
  expect((await app.get(hook.path, user.token)).status).toBe(200)
  await page.press('Delete', '.dialog')
  await page.see('The webhook was deleted.')
  expect((await sendTo(address, { title: 'Fourth' })).status).toBe(404)
})

test('the ping key makes heartbeats by their slug, and is replaced after a confirmation', async () => {
  await heartbeats.add(user)
  const page = await openPage(user, 'heartbeats')
  await page.see('Ping by slug')
  const shown = (await page.all('.copyable code')).find((text) => text.includes('SLUG')) ?? ''
  const before = shown.replace('SLUG', 'photos').slice(app.url.length)
  expect((await app.get(before)).status).toBe(201)
  await page.see('photos')
  await page.press('New ping key')
  await page.see('Replace the ping key?')
  expect((await app.get(before)).status).toBe(200)
  await page.press('New ping key', '.dialog')
  await page.see('There is a new ping key.')
  expect((await app.get(before)).status).toBe(404)
})

test('a heartbeat and a policy of an organization reach the groups that were chosen; no slug is replaced', async () => {
  const owner = await app.addUser()
  const { id } = (await app.post('/orgs', { name: 'Example Hosting' }, owner.token)).body
  const org = { id, path: `/orgs/${id}`, owner, admin: owner, members: [] }
  await addGroup(app, org, 'on-call', [owner])
  const page = await openPage(owner, `organizations/${id}/heartbeats`)
  await page.press('New heartbeat')
  await page.fill('Name', 'Mail queue')
  await page.check('on-call')
  expect(await page.all('label')).not.toContain('Show its status as a widget')
  await page.press('Create the heartbeat')
  await page.see('Waiting for the first ping')
  const { body } = await app.get(`${org.path}/heartbeats/mail-queue`, owner.token)
  expect(body.target).toEqual({ groups: ['on-call'] })
  const createPolicy = async () => {
    await page.visit(`organizations/${id}/escalations/_new`)
    await page.fill('Name', 'Wake the leads')
    await page.check('on-call')
    await page.press('Create the policy')
  }
  await createPolicy()
  await page.button('Edit Wake the leads')
  const steps = async () => (await app.get(`${org.path}/escalations/wake-the-leads`, owner.token)).body.steps
  expect(await steps()).toEqual([{ after_seconds: 300, level: 'critical', target: { groups: ['on-call'] } }])
  await createPolicy()
  await page.see(/slug already/)
})
