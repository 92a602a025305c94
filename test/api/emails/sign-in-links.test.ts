// Sign-in links by e-mail.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type FakeSmtp, startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings, PUBLIC_URL } from '../../support/fakes/mail.ts'

const CONSOLE = { 'x-heliograph-console': '1', 'sec-fetch-site': 'same-origin' }
let smtp: FakeSmtp
let app: TestApp
let user: TestUser
beforeAll(async () => {
  smtp = await startFakeSmtp()
  app = await startTestApp(mailSettings(smtp.port))
})
afterAll(async () => {
  await app.stop()
  await smtp.close()
})
beforeEach(async () => {
  app.advanceSeconds(86_400)
  user = await app.addUser()
  await app.runDueJobs()
  smtp.mails.length = 0
})

const chosen = async (owner: TestUser, address: string) => {
  const { id } = await addVerified(app, owner, address)
  const answer = await app.patch(`/emails/recipients/${id}`, { sign_in: true }, owner.token)
  expect(answer.body).toMatchObject({ address, status: 'verified', sign_in: true })
  await app.runDueJobs()
  smtp.mails.length = 0
  return id
}
const ask = (address: string) => app.post('/auth/links/email', { address })
// The text of a mail is quoted-printable.
const linksIn = () =>
  smtp.mails.flatMap(
    ({ raw }) =>
      raw
        .replaceAll('=\r\n', '')
        .replaceAll('=3D', '=')
        .match(/\S+#signin=\S+/g) ?? [],
  )
const signIn = (link: string | undefined) =>
  app.call('POST', '/auth/session', { body: { code: link?.split('#signin=')[1] }, headers: CONSOLE })

describe('POST /auth/links/email', () => {
  test('204: a link to the chosen address, which signs in once', async () => {
    await chosen(user, 'ada@home.example')
    expect((await ask('Ada@Home.example')).status).toBe(204)
    await app.runDueJobs()
    expect(smtp.mails.map(({ to }) => to)).toEqual([['ada@home.example']])
    const [link] = linksIn()
    expect(link).toContain(`${PUBLIC_URL}/app/#signin=`)
    expect((await signIn(link)).body).toEqual({ user_id: user.userId })
    expectProblem(await signIn(link), 401, 'token.invalid')
  })

  test('204 and no mail for an unknown address, one that only receives, has not confirmed, or has unsubscribed', async () => {
    await addVerified(app, user, 'other@example.org')
    const pending = (await app.post('/emails/recipients', { address: 'new@example.org' }, user.token)).body
    expectProblem(
      await app.patch(`/emails/recipients/${pending.id}`, { sign_in: true }, user.token),
      403,
      'email.recipient_not_verified',
    )
    const id = await chosen(user, 'gone@example.org')
    await app.patch(`/emails/recipients/${id}`, { sign_in: false }, user.token)
    await app.runDueJobs()
    smtp.mails.length = 0
    for (const address of ['nobody@example.org', 'other@example.org', 'new@example.org', 'gone@example.org']) {
      expect((await ask(address)).status).toBe(204)
    }
    await app.runDueJobs()
    expect(smtp.mails).toEqual([])
  })

  test('an address of two accounts gets a link for each; another account cannot choose it', async () => {
    const other = await app.addUser()
    const id = await chosen(user, 'both@example.org')
    expectProblem(
      await app.patch(`/emails/recipients/${id}`, { sign_in: false }, other.token),
      404,
      'email.recipient_not_found',
    )
    await chosen(other, 'both@example.org')
    await ask('both@example.org')
    await app.runDueJobs()
    const people = await Promise.all(linksIn().map(async (link) => (await signIn(link)).body.user_id))
    expect(people.sort()).toEqual([user.userId, other.userId].sort())
  })

  test('an old link does not work; a removed address gets none that was asked for before', async () => {
    const id = await chosen(user, 'old@example.org')
    await ask('old@example.org')
    await app.runDueJobs()
    app.advanceSeconds(LIMITS.account.signInCodeSeconds)
    expectProblem(await signIn(linksIn()[0]), 401, 'token.invalid')
    smtp.mails.length = 0
    await ask('old@example.org')
    await app.del(`/emails/recipients/${id}`, user.token)
    await app.runDueJobs()
    expect(smtp.mails).toEqual([])
  })

  test('the mail is sent again while the mail server is busy, and not at all once its link is old', async () => {
    await chosen(user, 'busy@example.org')
    smtp.answerMessage = () => ({ code: 451, text: 'busy' })
    await ask('busy@example.org')
    await app.runDueJobs()
    smtp.reset()
    app.advanceSeconds(60)
    await app.runDueJobs()
    expect((await signIn(linksIn()[0])).status).toBe(200)
    smtp.mails.length = 0
    await ask('busy@example.org')
    app.advanceSeconds(600)
    await app.runDueJobs()
    expect(smtp.mails).toEqual([])
  })

  test('at most ten mails a day to an address, with the same answer; 429 beyond five a minute from one', async () => {
    await chosen(user, 'often@example.org')
    for (let asked = 0; asked < LIMITS.account.maxSignInMailsPerDay + 2; asked++) {
      app.advanceSeconds(60)
      // In any case of its letters it is one address.
      expect((await ask(asked % 2 ? 'often@example.org' : 'Often@Example.org')).status).toBe(204)
    }
    await app.runDueJobs()
    // Those that have expired by now are not sent.
    expect(smtp.mails.length).toBeLessThanOrEqual(LIMITS.account.maxSignInMailsPerDay)
    smtp.mails.length = 0
    app.advanceSeconds(60)
    await ask('often@example.org')
    await app.runDueJobs()
    expect(smtp.mails).toEqual([])
    for (let asked = 1; asked < LIMITS.rate.signInMailsPerMinute; asked++) await ask('nobody@example.org')
    expectProblem(await ask('nobody@example.org'), 429, 'rate_limit.exceeded')
  })

  test('400 for what is no address, 503 without a mail server; GET /auth/ways says which ways there are', async () => {
    expectProblem(await ask('no address'), 400, 'email.invalid')
    expect((await app.get('/auth/ways')).body).toEqual({ email: true, started_as: expect.any(String) })
    const plain = await startTestApp()
    expectProblem(await plain.post('/auth/links/email', { address: 'a@example.org' }), 503, 'email.not_enabled')
    expect((await plain.get('/auth/ways')).body.email).toBe(false)
    await plain.stop()
  })
})
