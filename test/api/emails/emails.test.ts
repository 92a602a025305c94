// POST /emails and GET /emails: allowed recipients, the message that the mail server gets, and the outcomes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { type FakeSmtp, headerOf, headersOf, startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings, PUBLIC_URL } from '../../support/fakes/mail.ts'
import { createMemoryLog } from '../../support/fakes/memory-log.ts'

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
  user = await app.addUser()
  await addVerified(app, user)
  smtp.reset()
  smtp.mails.length = 0
})

const mail = { to: 'ada@example.org', subject: 'Backup done', text_body: '412 files.', html_body: '<p>412 files.</p>' }
const send = (members: Record<string, unknown> = {}, token = user.token) =>
  app.post('/emails', { ...mail, ...members }, token)
const used = async () => (await app.get('/auth/me', user.token)).body.emails_used
const history = async (token = user.token) => (await app.get('/emails', token)).body.items

describe('POST /emails', () => {
  test('201 sent: the mail server accepted it before the answer, and it uses one unit of quota', async () => {
    const { status, body } = await send()
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      to: mail.to,
      subject: mail.subject,
      status: 'sent',
      provider_message_id: expect.stringMatching(/^<[0-9a-f-]{36}@example\.org>$/),
      delivery: 'all',
      created_at: new Date(app.clock.now()).toISOString(),
    })
    expect(smtp.mails).toMatchObject([{ from: 'heliograph@example.org', to: [mail.to] }])
    expect(headerOf(smtp.mails[0]!, 'message-id')).toBe(body.provider_message_id)
    expect(await used()).toBe(1)
    expect(await history()).toMatchObject([{ id: body.id, status: 'sent' }])
  })

  test('both bodies are sent as alternatives, text first; a single body is sent alone', async () => {
    await send()
    await send({ html_body: undefined })
    await send({ text_body: '' })
    const [both, text, html] = smtp.mails
    expect(headerOf(both!, 'content-type')).toMatch(/^multipart\/alternative/)
    expect(both!.raw).toMatch(
      /text\/plain[\s\S]*\r\n412 files\.\r\n[\s\S]*text\/html[\s\S]*\r\n<p>412 files\.<\/p>\r\n/,
    )
    expect([headerOf(text!, 'content-type'), headerOf(html!, 'content-type')]).toEqual([
      'text/plain; charset=utf-8',
      'text/html; charset=utf-8',
    ])
  })

  test('RFC 8058: every mail can be unsubscribed from with one click', async () => {
    await send()
    expect(headerOf(smtp.mails[0]!, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const link = headerOf(smtp.mails[0]!, 'list-unsubscribe') ?? ''
    expect(link).toMatch(new RegExp(`^<${PUBLIC_URL}/emails/unsubscribe/[A-Za-z0-9_-]{48}>$`))
    const path = link.slice(1 + PUBLIC_URL.length, -1)
    const clicked = await app.call('POST', path, {
      raw: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(clicked.status).toBe(200)
    expect((await send()).body).toMatchObject({ status: 'suppressed', delivery: 'none', reason: 'suppressed' })
  })

  test('201 suppressed: stored, not sent, not counted', async () => {
    smtp.answerRecipient = () => ({ code: 550, text: '5.1.1 no such user' })
    const refused = await send()
    expect(refused.body).toMatchObject({ status: 'bounced', delivery: 'none', reason: 'send_failed' })
    expect(refused.body.error).toContain('550')
    smtp.reset()
    expect((await send()).body).toMatchObject({ status: 'suppressed', delivery: 'none', reason: 'suppressed' })
    expect(smtp.mails).toEqual([])
    expect(await used()).toBe(1)
    const [recipient] = (await app.get('/emails/recipients', user.token)).body.items
    expect(recipient.status).toBe('suppressed')
  })

  test('201 failed: a permanently refused message is not retried, and the recipient is not suppressed', async () => {
    smtp.answerMessage = () => ({ code: 554, text: 'looks like spam' })
    expect((await send()).body).toMatchObject({ status: 'failed', error: '554 looks like spam', reason: 'send_failed' })
    smtp.reset()
    app.advanceSeconds(86_400)
    await app.runDueJobs()
    expect(smtp.mails).toEqual([])
    expect((await send()).body.status).toBe('sent')
  })

  test('201 in another case of the address: sent to the address that was confirmed', async () => {
    expect((await send({ to: 'ADA@Example.org' })).body).toMatchObject({ to: 'ada@example.org', status: 'sent' })
    expect(smtp.mails[0]?.to).toEqual(['ada@example.org'])
  })

  test('400 email.invalid for an address with a display name, a subject of two lines, and no body', async () => {
    const answers = [
      await send({ to: 'Ada <ada@example.org>' }),
      await send({ subject: 'a\r\nBcc: eve@example.org' }),
      await send({ text_body: '', html_body: undefined }),
    ]
    for (const answer of answers) expectProblem(answer, 400, 'email.invalid')
    expect(answers.map(locations)).toEqual([['body.to'], ['body.subject'], ['body.text_body']])
    expect([smtp.mails.length, await used(), (await history()).length]).toEqual([0, 0, 0])
  })

  test('401 without a token', async () => {
    expectProblem(await app.post('/emails', mail), 401, 'token.invalid')
  })

  test('403 for a key without the level', async () => {
    const key = await app.addKey(user, { permissions: { notifications: 'schedule' } })
    expectProblem(await send({}, key), 403, 'integration_key.permission_denied')
  })

  test('403 email.recipient_not_verified for an unknown, unconfirmed or deleted recipient, and one of another account', async () => {
    await app.post('/emails/recipients', { address: 'pending@example.org' }, user.token)
    const other = await app.addUser()
    await addVerified(app, other, 'theirs@example.org')
    const removed = await addVerified(app, user, 'removed@example.org')
    await app.del(`/emails/recipients/${removed.id}`, user.token)
    for (const name of ['unknown', 'pending', 'theirs', 'removed']) {
      expectProblem(await send({ to: `${name}@example.org` }), 403, 'email.recipient_not_verified')
    }
    expect([smtp.mails.length, await used()]).toEqual([0, 0])
  })

  test('422 for requests that do not match the schema', async () => {
    const bad: [Record<string, unknown>, string][] = [
      [{ to: ['ada@example.org'] }, 'body.to'],
      [{ to: { address: 'ada@example.org' } }, 'body.to'],
      [{ to: 'a@' }, 'body.to'],
      [{ to: `${'a'.repeat(251)}@b.c` }, 'body.to'],
      [{ subject: '' }, 'body.subject'],
      [{ subject: 'x'.repeat(LIMITS.email.maxSubjectChars + 1) }, 'body.subject'],
      [{ text_body: 'x'.repeat(LIMITS.email.maxTextChars + 1) }, 'body.text_body'],
      [{ html_body: 'x'.repeat(LIMITS.email.maxHtmlChars + 1) }, 'body.html_body'],
      [{ html_body: { path: '/etc/passwd' } }, 'body.html_body'],
      [{ text_body: { href: 'http://127.0.0.1/' } }, 'body.text_body'],
      [{ attachments: [{ path: '/etc/passwd' }] }, 'body.attachments'],
      [{ cc: 'eve@example.org' }, 'body.cc'],
    ]
    for (const [members, location] of bad) {
      const answer = await send(members)
      expectProblem(answer, 422, 'request.validation_failed')
      expect(locations(answer)).toContain(location)
    }
    expect([smtp.mails.length, await used()]).toEqual([0, 0])
  })

  test('503 email.not_enabled without a mail server, which is not logged as an error', async () => {
    const { log, lines } = createMemoryLog()
    const bare = await startTestApp({}, undefined, { log })
    const { token } = await bare.addUser()
    expectProblem(await bare.post('/emails', mail, token), 503, 'email.not_enabled')
    expectProblem(await bare.post('/emails/recipients', { address: mail.to }, token), 503, 'email.not_enabled')
    expect((await bare.get('/emails/recipients', token)).body).toEqual({ items: [], email_enabled: false })
    expect((await app.get('/emails/recipients', user.token)).body.email_enabled).toBe(true)
    expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
    await bare.stop()
  })
})

test('a mail server without a sender, or a sender without a mail server, refuses the start with one line', async () => {
  const { HELIOGRAPH_SMTP_URL, HELIOGRAPH_MAIL_FROM } = mailSettings(1)
  for (const half of [{ HELIOGRAPH_SMTP_URL }, { HELIOGRAPH_MAIL_FROM }]) {
    await expect(startTestApp(half)).rejects.toThrow('e-mail needs both HELIOGRAPH_SMTP_URL and HELIOGRAPH_MAIL_FROM')
  }
})

describe('GET /emails', () => {
  test('200 newest first, in pages that new mails do not shift, without bodies', async () => {
    for (const subject of ['1', '2', '3']) await send({ subject })
    const first = await app.get('/emails?limit=2', user.token)
    await send({ subject: '4' })
    const second = await app.get(`/emails?limit=2&cursor=${first.body.next_cursor}`, user.token)
    expect([first, second].map(({ body }) => body.items.map((item: { subject: string }) => item.subject))).toEqual([
      ['3', '2'],
      ['1'],
    ])
    expect([first.body.has_more, second.body.has_more]).toEqual([true, false])
    expect(first.text).not.toContain('412 files')
  })

  test('200 a key sees the mails it sent; another account sees none', async () => {
    const key = await app.addKey(user, { permissions: { emails: 'send' } })
    await send({ subject: 'by the person' })
    await send({ subject: 'by the key' }, key)
    expect((await history(key)).map(({ subject }: { subject: string }) => subject)).toEqual(['by the key'])
    expect(await history()).toHaveLength(2)
    expect(await history((await app.addUser()).token)).toEqual([])
  })

  test('400 cursor.invalid and 422 for a limit out of range', async () => {
    expectProblem(await app.get('/emails?cursor=nonsense', user.token), 400, 'cursor.invalid')
    expectProblem(await app.get('/emails?limit=101', user.token), 422, 'request.validation_failed')
  })
})

test('a mail has exactly the expected headers', async () => {
  await send()
  expect(headersOf(smtp.mails[0]!).map(([name]) => name)).toEqual([
    'list-unsubscribe',
    'list-unsubscribe-post',
    'auto-submitted',
    'from',
    'to',
    'subject',
    'message-id',
    'date',
    'mime-version',
    'content-type',
  ])
})
