// Recipients: confirmation mails, confirmation by a button only, and unsubscribing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { isPostgres } from '../../support/database/database.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type FakeSmtp, headerOf, startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings, PUBLIC_URL } from '../../support/fakes/mail.ts'

let smtp: FakeSmtp
let app: TestApp
let user: TestUser
const nodes: TestApp[] = []
beforeAll(async () => {
  smtp = await startFakeSmtp()
  app = await startTestApp(mailSettings(smtp.port))
  nodes.push(app)
  if (isPostgres()) nodes.unshift(await startTestApp(mailSettings(smtp.port), app.database, { clock: app.clock }))
})
afterAll(async () => {
  for (const node of nodes) await node.stop()
  await smtp.close()
})
beforeEach(async () => {
  smtp.reset()
  await app.runDueJobs()
  smtp.mails.length = 0
  user = await app.addUser()
})

const address = 'ada@example.org'
const add = (to = address, node = app) => node.post('/emails/recipients', { address: to }, user.token)
const resend = (id: string) => app.post(`/emails/recipients/${id}/resend`, undefined, user.token)
const recipients = async () => (await app.get('/emails/recipients', user.token)).body.items
const statuses = async () => (await recipients()).map(({ status }: { status: string }) => status)
const send = () => app.post('/emails', { to: address, subject: 'S', text_body: 'T' }, user.token)

// The confirmation path in the newest mail.
async function linkedPath(): Promise<string> {
  await app.runDueJobs()
  const text = smtp.mails.at(-1)?.raw.replace(/=\r\n/g, '').replace(/=3D/g, '=') ?? ''
  return new RegExp(`${PUBLIC_URL}(/emails/confirm/[A-Za-z0-9_-]+)`).exec(text)?.[1] ?? 'no link'
}

describe('POST /emails/recipients', () => {
  test('201 pending, and a confirmation mail that does not name the account', async () => {
    const { status, body } = await add()
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      address,
      status: 'pending',
      created_at: new Date(app.clock.now()).toISOString(),
    })
    await linkedPath()
    expect(smtp.mails).toMatchObject([{ to: [address] }])
    expect(headerOf(smtp.mails[0]!, 'subject')).toBe('Please confirm your address')
    expect(headerOf(smtp.mails[0]!, 'list-unsubscribe')).toContain('/emails/unsubscribe/')
    expect(smtp.mails[0]!.raw).not.toContain(user.name)
  })

  test('confirmation mails use no quota', async () => {
    await addVerified(app, user)
    expect((await app.get('/auth/me', user.token)).body.emails_used).toBe(0)
  })

  test('200 for a known address in any case: no second confirmation mail', async () => {
    const { body } = await add()
    const again = await add('ADA@EXAMPLE.org')
    expect([again.status, again.body]).toEqual([200, body])
    await app.runDueJobs()
    expect(smtp.mails).toHaveLength(1)
  })

  test('400 email.invalid and 422 for malformed addresses', async () => {
    expectProblem(await add('Ada <ada@example.org>'), 400, 'email.invalid')
    expectProblem(await add('a'), 422, 'request.validation_failed')
    expect(await recipients()).toEqual([])
  })

  test('R20 409 email.recipient_limit_exceeded: of 60 concurrent additions on all nodes, 50 succeed', async () => {
    const answers = await Promise.all(
      Array.from({ length: LIMITS.email.maxRecipients + 10 }, (_, i) =>
        add(`r${i}@example.org`, nodes[i % nodes.length]),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMITS.email.maxRecipients)
    expect(answers.filter(({ body }) => body.code === 'email.recipient_limit_exceeded')).toHaveLength(10)
    expect(await recipients()).toHaveLength(LIMITS.email.maxRecipients)
  })

  test('429 rate_limit.exceeded: at most 50 confirmation mails a day, even after deletions', async () => {
    for (let i = 0; i < LIMITS.email.maxConfirmationsPerDay; i++) {
      const { body } = await add(`r${i}@example.org`)
      await app.del(`/emails/recipients/${body.id}`, user.token)
    }
    const refused = await add()
    expectProblem(refused, 429, 'rate_limit.exceeded')
    expect(await recipients()).toEqual([])
    app.advanceSeconds(refused.body.retry_after_ms / 1000)
    expect((await add()).status).toBe(201)
  })
})

describe('the confirmation link', () => {
  test('GET changes nothing, however often a scanner opens it; the button confirms', async () => {
    await add()
    const path = await linkedPath()
    for (let i = 0; i < 3; i++) {
      const page = await app.get(path)
      expect(page.status).toBe(200)
      expect(page.text).toContain(address)
      expect(page.text).toContain('<form method="post">')
    }
    await app.call('HEAD', path)
    expect(await statuses()).toEqual(['pending'])
    const pressed = await app.call('POST', path, {
      raw: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(pressed.status).toBe(200)
    expect(await recipients()).toMatchObject([
      { status: 'verified', verified_at: new Date(app.clock.now()).toISOString() },
    ])
    const opened = await app.get(path)
    expect([opened.status, opened.text.includes('Your address is confirmed')]).toEqual([200, true])
    expect(opened.text).not.toContain('<form')
    expect((await send()).body.status).toBe('sent')
  })

  test('works once: it cannot undo a later unsubscription', async () => {
    await add()
    const path = await linkedPath()
    await app.post(path)
    await unsubscribeByMail()
    expect((await app.post(path)).status).toBe(200)
    expect(await statuses()).toEqual(['suppressed'])
  })

  test('expires after 48 hours, and when a newer one was sent', async () => {
    const { body } = await add()
    const first = await linkedPath()
    app.advanceSeconds(3600)
    expect((await resend(body.id)).status).toBe(200)
    const second = await linkedPath()
    expect([(await app.get(first)).status, (await app.post(first)).status]).toEqual([404, 404])
    expect((await app.get(second)).status).toBe(200)
    app.advanceSeconds(48 * 3600 - 1)
    expect((await app.get(second)).status).toBe(200)
    app.advanceSeconds(1)
    expect([(await app.get(second)).status, (await app.post(second)).status]).toEqual([404, 404])
    expect(await statuses()).toEqual(['pending'])
  })

  test('is not stored in the database', async () => {
    await add()
    const token = (await linkedPath()).split('/').at(-1) as string
    const rows = await app.app.ctx.db.read.all<Record<string, unknown>>(
      sql`select id, address, confirmation_hash from email_recipients where user_id = ${user.userId}`,
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('has a page without scripts, external resources or referrers', async () => {
    await add()
    const { headers, text } = await app.get(await linkedPath())
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store'])
    expect(text).not.toMatch(/<script|\bsrc=|\bhref=|\bon\w+=/)
    expect((await app.get('/emails/confirm/%3Cscript%3E')).text).not.toContain('<script')
  })

  test('an address that was refused permanently gets no further confirmation mail', async () => {
    smtp.answerRecipient = () => ({ code: 550, text: 'no such user' })
    const { body } = await add()
    await app.runDueJobs()
    smtp.reset()
    expect(await statuses()).toEqual(['suppressed'])
    expect((await resend(body.id)).body.status).toBe('suppressed')
    await app.runDueJobs()
    expect(smtp.mails).toEqual([])
  })

  test('a confirmation mail is retried after a temporary failure', async () => {
    smtp.answerRecipient = () => ({ code: 450, text: 'later' })
    await add()
    await app.runDueJobs()
    smtp.reset()
    app.advanceSeconds(60)
    expect((await app.get(await linkedPath())).status).toBe(200)
  })
})

async function unsubscribeByMail(): Promise<string> {
  const link = headerOf(smtp.mails.at(-1)!, 'list-unsubscribe') ?? ''
  const path = link.slice(1 + PUBLIC_URL.length, -1)
  await app.post(path)
  return path
}

describe('the unsubscribe link', () => {
  test('GET shows a button and changes nothing; POST, with or without a body, suppresses for this account only', async () => {
    const other = await app.addUser()
    await addVerified(app, other)
    await addVerified(app, user)
    await send()
    const link = headerOf(smtp.mails.at(-1)!, 'list-unsubscribe') ?? ''
    const page = await app.get(link.slice(1 + PUBLIC_URL.length, -1))
    expect([page.status, page.text.includes('<form method="post">')]).toEqual([200, true])
    expect(await statuses()).toEqual(['verified'])
    const path = await unsubscribeByMail()
    expect(await statuses()).toEqual(['suppressed'])
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    const again = await app.call('POST', path, { raw: '--x--\r\n', headers: form })
    expect(again.status).toBe(200)
    expect((await app.get('/emails/recipients', other.token)).body.items).toMatchObject([{ status: 'verified' }])
  })

  test('a forged one is 404 and changes nothing', async () => {
    await addVerified(app, user)
    await send()
    const link = headerOf(smtp.mails.at(-1)!, 'list-unsubscribe') ?? ''
    const path = link.slice(1 + PUBLIC_URL.length, -1)
    const forged = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A')
    for (const wrong of [forged, '/emails/unsubscribe/x', `${path}A`]) {
      expect([(await app.get(wrong)).status, (await app.post(wrong)).status]).toEqual([404, 404])
    }
    expect(await statuses()).toEqual(['verified'])
  })

  test('of a deleted recipient answers 200', async () => {
    const { id } = await addVerified(app, user)
    await send()
    await app.del(`/emails/recipients/${id}`, user.token)
    const path = await unsubscribeByMail()
    expect((await app.post(path)).status).toBe(200)
  })
})

describe('POST /emails/recipients/{id}/resend and DELETE', () => {
  test('200 and no mail for a confirmed recipient', async () => {
    const { id } = await addVerified(app, user)
    await app.runDueJobs()
    smtp.mails.length = 0
    expect((await resend(id)).body.status).toBe('verified')
    await app.runDueJobs()
    expect(smtp.mails).toEqual([])
  })

  test('204, and a recipient added again must confirm again', async () => {
    const { id } = await addVerified(app, user)
    expect((await app.del(`/emails/recipients/${id}`, user.token)).status).toBe(204)
    expectProblem(await send(), 403, 'email.recipient_not_verified')
    expect((await add()).body.status).toBe('pending')
  })

  test('404 email.recipient_not_found for an unknown id', async () => {
    expectProblem(await resend('unknown'), 404, 'email.recipient_not_found')
    expectProblem(await app.del('/emails/recipients/unknown', user.token), 404, 'email.recipient_not_found')
  })
})
