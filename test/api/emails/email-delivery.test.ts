// What happens to an e-mail when the mail server is slow, unreachable or refuses it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAIL_RETRY_SECONDS } from '../../../src/domain/emails/email.ts'
import { plusSeconds } from '../../../src/domain/instant.ts'
import { authenticate, readCredentials } from '../../../src/operations/authenticate.ts'
import type { ClaimedJob } from '../../../src/operations/context.ts'
import { sendEmail } from '../../../src/operations/emails/emails.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { createTestDatabase } from '../../support/database/database.ts'
import { eventually } from '../../support/eventually.ts'
import { type FakeSmtp, headerOf, startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings, type TestRecipient } from '../../support/fakes/mail.ts'
import { createMemoryLog } from '../../support/fakes/memory-log.ts'

let smtp: FakeSmtp
let app: TestApp
let user: TestUser
let recipient: TestRecipient
beforeAll(async () => {
  smtp = await startFakeSmtp()
  app = await startTestApp(mailSettings(smtp.port))
})
afterAll(async () => {
  await app.stop()
  await smtp.close()
})
beforeEach(async () => {
  smtp.reset()
  user = await app.addUser('free')
  recipient = await addVerified(app, user)
  await app.runDueJobs()
  smtp.mails.length = 0
})

const mail = { to: 'ada@example.org', subject: 'Backup', text_body: 'Done.' }
const send = () => app.post('/emails', mail, user.token)
const history = async () => (await app.get('/emails', user.token)).body.items
const used = async () => (await app.get('/auth/me', user.token)).body.emails_used
const greylisted = () => ({ code: 451, text: '4.7.1 come back later' })

async function waitAndRun(seconds: number): Promise<void> {
  app.advanceSeconds(seconds)
  await app.runDueJobs()
}

describe('temporary failures', () => {
  test('a 451 is reported as failed and retried with the same Message-ID; the status becomes sent', async () => {
    const seen: (string | undefined)[] = []
    smtp.answerMessage = (one) => {
      seen.push(headerOf(one, 'message-id'))
      return greylisted()
    }
    const { status, body } = await send()
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'failed', delivery: 'none', reason: 'send_failed' })
    expect(body.error).toBe('Not sent yet, and tried again: 451 4.7.1 come back later')
    await waitAndRun(MAIL_RETRY_SECONDS[0] - 1)
    expect(seen).toHaveLength(1)
    smtp.reset()
    await waitAndRun(1)
    expect(await history()).toMatchObject([{ id: body.id, status: 'sent', provider_message_id: seen[0] }])
    expect(smtp.mails.map((one) => headerOf(one, 'message-id'))).toEqual([seen[0]])
    expect(await used()).toBe(1)
  })

  test('a mail is dropped after a day, and its body is deleted from the database', async () => {
    smtp.answerRecipient = greylisted
    await send()
    for (const seconds of MAIL_RETRY_SECONDS) await waitAndRun(seconds)
    expect(MAIL_RETRY_SECONDS.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(86_400)
    smtp.reset()
    await waitAndRun(86_400)
    expect(smtp.mails).toEqual([])
    expect(await history()).toMatchObject([{ status: 'failed', error: '451 4.7.1 come back later' }])
    const row = await app.app.ctx.db.read.first(
      sql`select text_body, html_body from emails where user_id = ${user.userId}`,
    )
    expect(row).toMatchObject({ text_body: null, html_body: null })
  })

  test('an unreachable mail server: the answer says so, and the mail is retried', async () => {
    const closed = await startTestApp(mailSettings(1))
    const sender = await closed.addUser()
    await addVerified(closed, sender)
    const { body } = await closed.post('/emails', mail, sender.token)
    expect(body).toMatchObject({ status: 'failed', reason: 'send_failed' })
    expect(body.error).toBe('Not sent yet, and tried again: The mail server cannot be reached or used.')
    await closed.stop()
  })

  test('a server that hangs ends the request after ten seconds, and the attempt after a minute', async () => {
    let asked = 0
    smtp.answerRecipient = () => {
      asked++
      return 'hang'
    }
    const answer = send()
    await eventually(() => expect(asked).toBe(1))
    app.advanceSeconds(10)
    expect((await answer).body).toMatchObject({ status: 'failed', delivery: 'none' })
    // Longer than the default lease: no other node may send it while this server might still accept it.
    await waitAndRun(20)
    expect(asked).toBe(1)
    smtp.reset()
    app.advanceSeconds(30)
    await eventually(async () => {
      await waitAndRun(60)
      expect(await history()).toMatchObject([{ status: 'sent' }])
    })
    expect(smtp.mails).toHaveLength(1)
  })

  test('at most five mails are with the mail server at a time; the others wait, and none is lost', async () => {
    let asked = 0
    smtp.answerRecipient = () => {
      asked++
      return 'hang'
    }
    const statuses: string[] = []
    for (let i = 0; i < 8; i++) void send().then(({ body }) => statuses.push(body.status))
    await eventually(() => expect(asked).toBe(5))
    // Each timeout counts from its own start, which may come late on a busy machine.
    await eventually(() => {
      app.advanceSeconds(0.5)
      expect(statuses).toEqual(Array(8).fill('failed'))
    })
    expect(asked).toBe(5)
    smtp.reset()
    app.advanceSeconds(50)
    await eventually(async () => {
      await waitAndRun(60)
      expect(smtp.mails).toHaveLength(8)
    })
    expect(new Set(smtp.mails.map((one) => headerOf(one, 'message-id'))).size).toBe(8)
  })

  test('a server that hangs does not delay stop(), and the next start retries', async () => {
    let asked = 0
    smtp.answerRecipient = () => {
      asked++
      return 'hang'
    }
    const database = await createTestDatabase()
    const first = await startTestApp(mailSettings(smtp.port), database)
    const sender = await first.addUser()
    await addVerified(first, sender)
    const answer = first.post('/emails', mail, sender.token).catch(() => 'cut off')
    await eventually(() => expect(asked).toBe(1))
    await first.stop()
    expect(await answer).toBeDefined()
    smtp.reset()
    const second = await startTestApp(mailSettings(smtp.port), database)
    second.clock.set(plusSeconds(first.clock.now(), 61))
    await second.runDueJobs()
    expect((await second.get('/emails', sender.token)).body.items).toMatchObject([{ status: 'sent' }])
    await second.stop()
    await database.drop()
  })

  test('a recipient who unsubscribes before the retry gets nothing', async () => {
    smtp.answerRecipient = greylisted
    await send()
    smtp.reset()
    await app.app.ctx.db.transact((tx) =>
      tx.execute(sql`update email_recipients set suppressed_at = 1 where id = ${recipient.id}`),
    )
    await waitAndRun(60)
    expect(smtp.mails).toEqual([])
    expect(await history()).toMatchObject([{ status: 'suppressed' }])
  })

  test('a refused login is retried and logged for the operator, without secrets', async () => {
    const { log, lines } = createMemoryLog()
    const settings = {
      ...mailSettings(smtp.port),
      HELIOGRAPH_SMTP_URL: `smtp://robot:canary%2Fpass@127.0.0.1:${smtp.port}`,
    }
    const secured = await startTestApp(settings, undefined, { log })
    const sender = await secured.addUser()
    await addVerified(secured, sender)
    smtp.answerLogin = () => ({ code: 535, text: '5.7.8 wrong name or password' })
    const refused = await secured.post('/emails', mail, sender.token)
    expect(refused.body.error).toBe('Not sent yet, and tried again: The mail server cannot be reached or used.')
    smtp.reset()
    secured.advanceSeconds(60)
    await secured.runDueJobs()
    expect(smtp.mails.filter(({ raw }) => raw.includes(mail.text_body))).toHaveLength(1)
    expect(smtp.logins.at(-1)).toEqual({ user: 'robot', password: 'canary/pass' })
    const logged = lines.join('') + JSON.stringify(secured.app.ctx.config) + refused.text
    expect(logged).toContain('535 5.7.8 wrong name or password')
    for (const secret of ['canary', Buffer.from('\0robot\0canary/pass').toString('base64')]) {
      expect(logged).not.toContain(secret)
    }
    await secured.stop()
  })

  test('a refused sender is retried, and the recipient is not suppressed', async () => {
    smtp.answerSender = () => ({ code: 550, text: '5.7.1 not your address' })
    expect((await send()).body.error).toBe('Not sent yet, and tried again: The mail server cannot be reached or used.')
    smtp.reset()
    await waitAndRun(60)
    expect(await history()).toMatchObject([{ status: 'sent' }])
  })

  test('a password is not sent in clear text to another machine: without TLS there is no login', async () => {
    // Resolves to this machine, but is not recognized as a loopback address.
    const settings = { ...mailSettings(smtp.port), HELIOGRAPH_SMTP_URL: `smtp://robot:secret@127.1:${smtp.port}` }
    const remote = await startTestApp(settings)
    const sender = await remote.addUser()
    await addVerified(remote, sender)
    const said = smtp.transcript().length
    expect((await remote.post('/emails', mail, sender.token)).body.status).toBe('failed')
    const attempt = smtp.transcript().slice(said)
    expect(attempt).toMatch(/^EHLO /)
    expect(attempt).toContain('STARTTLS')
    expect(attempt).not.toMatch(/AUTH|MAIL/)
    await remote.stop()
  })

  test('an accepted mail is stored: after a crash right after the commit, the next claim sends it', async () => {
    const { ctx } = app.app
    const dying = { ...ctx, runNow: async (jobs: ClaimedJob[]) => jobs.map(() => 'open' as const) }
    await sendEmail(dying, await authenticate(ctx, readCredentials(user.token)), mail)
    expect(smtp.mails).toEqual([])
    await waitAndRun(15)
    expect(smtp.mails).toHaveLength(1)
    expect(await history()).toMatchObject([{ status: 'sent' }])
  })
})

test('the history is kept for 90 days', async () => {
  await send()
  for (const [seconds, kept] of [
    [90 * 86_400, 1],
    [1, 0],
  ] as const) {
    app.advanceSeconds(seconds)
    await scheduleHousekeeping(app.app.ctx)
    await app.runDueJobs()
    expect(await history()).toHaveLength(kept)
  }
})
