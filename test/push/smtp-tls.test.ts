// Mail over TLS, from the first byte or after STARTTLS, is sent only to a server with a trusted certificate.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OutgoingMail } from '../../src/domain/emails/email.ts'
import { instant } from '../../src/domain/instant.ts'
import { openSmtp } from '../../src/push/channels/smtp.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { type SmtpTls, startFakeSmtp } from '../support/fakes/fake-smtp.ts'
import { createMemoryLog } from '../support/fakes/memory-log.ts'
import { selfSigned } from '../support/fakes/self-signed.ts'

const MAIL: OutgoingMail = {
  to: 'ada@example.org',
  subject: 'Backup',
  text: 'All files are safe.',
  messageId: '<1@heliograph.example>',
  sentAt: instant(1_800_000_000_000),
  unsubscribeUrl: 'https://heliograph.example/u',
}

const WAYS: [way: string, scheme: string, from: SmtpTls['from']][] = [
  ['smtps://', 'smtps', 'connect'],
  ['smtp:// with STARTTLS', 'smtp', 'starttls'],
]

async function start(scheme: string, from: SmtpTls['from'], host = '127.0.0.1') {
  const certificate = selfSigned()
  const smtp = await startFakeSmtp({ ...certificate, from }, host)
  onTestFinished(() => smtp.close())
  const { log, lines } = createMemoryLog()
  const send = (ca?: string) => {
    const url = new Secret(`${scheme}://robot:can%40ry@${host}:${smtp.port}`)
    const mailbox = { name: 'Heliograph', address: 'heliograph@example.org' }
    return openSmtp({ url, from: mailbox, clock: systemClock, log, ca }).send(MAIL)
  }
  return { smtp, certificate, send, lines }
}

describe.each(WAYS)('%s', (_way, scheme, from) => {
  test('a server with a trusted certificate gets the login and the mail', async () => {
    const { smtp, certificate, send } = await start(scheme, from)
    expect(await send(certificate.cert)).toEqual({ result: 'accepted' })
    expect(smtp.mails).toMatchObject([{ to: ['ada@example.org'], raw: expect.stringContaining('All files are safe.') }])
    expect(smtp.logins).toEqual([{ user: 'robot', password: 'can@ry' }])
  })

  test.each([
    ['an unknown authority', undefined],
    ['an authority other than the configured one', selfSigned().cert],
  ])('a certificate of %s is refused: no login, no mail, try_later', async (_what, ca) => {
    const { smtp, send, lines } = await start(scheme, from)
    expect(await send(ca)).toMatchObject({ result: 'try_later' })
    expect([smtp.mails, smtp.logins]).toEqual([[], []])
    expect(lines.join()).toMatch(/certificate/)
  })
})

test('a certificate issued for another host is refused', async () => {
  const { smtp, certificate, send } = await start('smtps', 'connect', '127.0.0.2')
  expect(await send(certificate.cert)).toMatchObject({ result: 'try_later' })
  expect([smtp.mails, smtp.logins]).toEqual([[], []])
})
