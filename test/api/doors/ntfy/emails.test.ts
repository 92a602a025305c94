// Messages for ntfy that also go out by e-mail.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../../support/app.ts'
import { type FakeSmtp, headerOf, startFakeSmtp } from '../../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings } from '../../../support/fakes/mail.ts'
import { setUsed } from '../../../support/usage.ts'
import { askNtfy, headersFor, inboxOf } from './client.ts'

let smtp: FakeSmtp
let app: TestApp
beforeAll(async () => {
  smtp = await startFakeSmtp()
  app = await startTestApp(mailSettings(smtp.port))
})
afterAll(async () => {
  await app.stop()
  await smtp.close()
})

const publish = (user: TestUser, headers: Record<string, string>) =>
  askNtfy(app, 'POST', '/t', { headers: headersFor(user, headers), body: 'Done.' })

async function addUserWithAddress(): Promise<TestUser> {
  const user = await app.addUser('free')
  // The oldest has not confirmed.
  await app.post('/emails/recipients', { address: 'pending@example.org' }, user.token)
  app.advanceSeconds(1)
  await addVerified(app, user)
  await app.runDueJobs()
  smtp.mails.length = 0
  return user
}

test.each(['ada@example.org', 'yes'])('200 with Email: %s sends both, with the title as subject', async (Email) => {
  const user = await addUserWithAddress()
  // A line break in the title must not begin another header.
  const { status } = await publish(user, { Email, Title: '=?UTF-8?Q?Backup=0D=0ABcc:_eve@example.org?=' })
  expect(status).toBe(200)
  await app.runDueJobs()
  expect(smtp.mails.map((mail) => [mail.to, headerOf(mail, 'subject')])).toEqual([
    [['ada@example.org'], 'Backup Bcc: eve@example.org'],
  ])
  expect(await inboxOf(app, user)).toHaveLength(1)
})

test('403 for an address that has not agreed, 400 for none, and nothing is published', async () => {
  const user = await addUserWithAddress()
  const stranger = await publish(user, { Email: 'eve@example.org' })
  expect([stranger.status, stranger.body.code]).toEqual([403, 40301])
  const noAddress = await publish(user, { Email: 'not an address' })
  expect([noAddress.status, noAddress.body.code]).toEqual([400, 40000])
  expect((await publish(await app.addUser(), { Email: 'yes' })).body.code).toBe(40301)
  expect([smtp.mails, await inboxOf(app, user)]).toEqual([[], []])
})

test.each(['notifications', 'emails'] as const)('429 with the quota of %s used up: neither is sent', async (kind) => {
  const user = await addUserWithAddress()
  await setUsed(app, user, kind, 500)
  expect((await publish(user, { Email: 'yes' })).status).toBe(429)
  await app.runDueJobs()
  expect([smtp.mails, await inboxOf(app, user)]).toEqual([[], []])
  expect((await app.get('/emails', user.token)).body.items).toEqual([])
})

test('403 for a key that may not send e-mail', async () => {
  const user = await addUserWithAddress()
  const defaultKey = await app.addKey(user, { permissions: { notifications: 'send' } })
  expect((await publish({ ...user, defaultKey }, { Email: 'yes' })).body.code).toBe(40301)
})

test('429 when the quota of e-mails is used up', async () => {
  const user = await addUserWithAddress()
  await setUsed(app, user, 'emails', 50)
  const { status, body } = await publish(user, { Email: 'yes' })
  expect([status, body.code]).toEqual([429, 42902])
})

test('GET /v1/config says that e-mails are possible', async () => {
  expect((await askNtfy(app, 'GET', '/v1/config')).body.enable_emails).toBe(true)
})
