// Several nodes of which only some have a mail server: mails are sent by nodes with one.
import { describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp } from '../../support/app.ts'
import { isPostgres } from '../../support/database/database.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings } from '../../support/fakes/mail.ts'

describe.skipIf(!isPostgres())('next to a node with a mail server', () => {
  test('a node without one does not claim mails; the other node sends them', async () => {
    const smtp = await startFakeSmtp()
    const withMail = await startTestApp(mailSettings(smtp.port))
    const without = await startTestApp({}, withMail.database, { clock: withMail.clock })
    onTestFinished(async () => {
      await without.stop()
      await withMail.stop()
      await smtp.close()
    })
    const user = await withMail.addUser()
    await addVerified(withMail, user)
    await withMail.runDueJobs()
    smtp.mails.length = 0
    smtp.answerMessage = () => ({ code: 451, text: '4.7.1 come back later' })
    expect(
      (await withMail.post('/emails', { to: 'ada@example.org', subject: 'S', text_body: 'T' }, user.token)).status,
    ).toBe(201)
    smtp.reset()
    withMail.advanceSeconds(600)

    await without.runDueJobs()
    const waiting = await withMail.app.ctx.db.read.all(sql`select attempt from jobs where kind = 'send-email'`)
    expect(waiting).toEqual([{ attempt: 1 }])
    await withMail.runDueJobs()
    await eventually(() => expect(smtp.mails).toHaveLength(1))
  })
})
