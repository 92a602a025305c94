// E-mails are sent once per idempotency key, and within the quota. On several nodes where the database allows it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { QUOTAS } from '../../../src/contract/limits.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { isPostgres } from '../../support/database/database.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type FakeSmtp, startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings } from '../../support/fakes/mail.ts'
import { setUsed } from '../../support/usage.ts'

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
  user = await app.addUser('free')
  await addVerified(app, user)
  await app.runDueJobs()
  smtp.mails.length = 0
})

const mail = { to: 'ada@example.org', subject: 'Backup', text_body: 'Done.' }
const send = (key?: string, body: object = mail, node = app): Promise<Answer> =>
  node.call('POST', '/emails', { token: user.token, body, headers: key ? { 'idempotency-key': key } : {} })
const history = async () => (await app.get('/emails', user.token)).body.items
const used = async () => (await app.get('/auth/me', user.token)).body.emails_used

describe('R55 Idempotency-Key', () => {
  test('201 the same answer again, and one mail', async () => {
    const [first, second] = [await send('once'), await send('once')]
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect([smtp.mails.length, await used()]).toEqual([1, 1])
  })

  test('201 the current state of the mail, if the first answer was not stored', async () => {
    await send('lost')
    await app.app.ctx.db.transact((tx) => tx.run(sql`update idempotency_keys set answer = null where key = 'lost'`))
    app.advanceSeconds(10)
    const again = await send('lost')
    expect(again.body).toMatchObject({ status: 'sent', delivery: 'all' })
    expect([smtp.mails.length, await used()]).toEqual([1, 1])
  })

  test('409 idempotency.in_progress while the first request is running; of ten concurrent ones, one mail is sent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => send('race', mail, nodes[index % nodes.length])),
    )
    const fresh = answers.filter(({ status, headers }) => status === 201 && !headers.has('idempotent-replayed'))
    expect(fresh).toHaveLength(1)
    for (const { status } of answers) expect([201, 409]).toContain(status)
    expect([smtp.mails.length, await used()]).toEqual([1, 1])
  })

  test('422 idempotency.key_reused with another body', async () => {
    await send('reused')
    expectProblem(await send('reused', { ...mail, subject: 'Other' }), 422, 'idempotency.key_reused')
  })
})

describe('the quota', () => {
  const limit = QUOTAS.free.emails?.limit ?? 0
  const use = (count: number) => setUsed(app, user, 'emails', count)

  test('429 quota.exceeded when the month is used up; nothing is stored or sent', async () => {
    await use(limit)
    const refused = await send()
    expectProblem(refused, 429, 'quota.exceeded')
    expect(refused.body).toMatchObject({ kind: 'emails', used: limit, limit })
    expect([smtp.mails.length, (await history()).length]).toEqual([0, 0])
  })

  test('R20 20 concurrent mails with one left, on all nodes: exactly one is sent, stored and counted', async () => {
    await use(limit - 1)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(undefined, mail, nodes[index % nodes.length])),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'quota.exceeded')).toHaveLength(19)
    expect([smtp.mails.length, (await history()).length, await used()]).toEqual([1, 1, limit])
  })
})
