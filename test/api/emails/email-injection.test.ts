// R35: for any content of any field, the mail server gets only the intended commands and headers, and no local file or
// URL is read.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { type FakeSmtp, headerOf, headersOf, startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings } from '../../support/fakes/mail.ts'

let smtp: FakeSmtp
let app: TestApp
let user: TestUser
beforeAll(async () => {
  smtp = await startFakeSmtp()
  app = await startTestApp(mailSettings(smtp.port))
  user = await app.addUser()
  await addVerified(app, user)
})
afterAll(async () => {
  await app.stop()
  await smtp.close()
})
beforeEach(() => {
  smtp.mails.length = 0
})

const mail = { to: 'ada@example.org', subject: 'S', text_body: 'T' }
const LINE_ENDS = ['\r\n', '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029', '\r\n ', '\t\r\n\t']
const INJECTIONS = LINE_ENDS.flatMap((end) => [
  `x${end}Bcc: eve@example.org`,
  `x${end}${end}<script>`,
  `x${end}.${end}RCPT TO:<eve@example.org>`,
])
const send = (members: Record<string, unknown>) => app.post('/emails', { ...mail, ...members }, user.token)

// The command lines of the SMTP session, without the messages.
const commands = () =>
  smtp
    .transcript()
    .replace(/\r\nDATA\r\n[\s\S]*?\r\n\.\r\n/g, '\r\nDATA\r\n')
    .split('\r\n')
    .filter((line) => line !== '')

const TRICKS = [
  '"Ada" <ada@example.org>',
  'ada@example.org, eve@example.org',
  'ada@example.org; eve@example.org',
  'eve@example.org <ada@example.org>',
  '"ada@example.org"@evil.example',
  'ada@example.org\u0000@evil.example',
  '@evil.example:ada@example.org',
  'ada@example.org> SIZE=1',
  'ada@[127.0.0.1]',
  'ada(eve@evil.example)@example.org',
  'group: ada@example.org;',
  'ada@example.org\u200b',
  'ada@exämple.org',
  'ａda@example.org',
  '=?utf-8?q?ada=40evil=2Eexample?=@example.org ',
]

test('R35 only a bare address is accepted, for recipients and for `to`', async () => {
  const before = commands().length
  for (const address of [...TRICKS, ...INJECTIONS.map((text) => `${text}@example.org`), ...INJECTIONS]) {
    const answers = [await send({ to: address }), await app.post('/emails/recipients', { address }, user.token)]
    for (const { status } of answers) expect([400, 422], address).toContain(status)
  }
  expect(commands()).toHaveLength(before)
  expect((await app.get('/auth/me', user.token)).body.emails_used).toBe(0)
})

test('R35 a subject with any kind of line break is refused', async () => {
  for (const subject of INJECTIONS) expect((await send({ subject })).status, JSON.stringify(subject)).toBe(400)
  expect(smtp.mails).toEqual([])
})

test('R35 a subject of unusual but printable text arrives unchanged, in one header', async () => {
  const subject = 'Grüße =?utf-8?q?=0D=0ABcc=3A_eve?= 🛰 <b> "x" \\r\\nBcc: eve@example.org'
  expect((await send({ subject })).body.subject).toBe(subject)
  const [arrived] = smtp.mails
  expect(headersOf(arrived!).filter(([name]) => name === 'subject')).toHaveLength(1)
  expect(headerOf(arrived!, 'bcc')).toBeUndefined()
  expect(decodeWords(headerOf(arrived!, 'subject') ?? '')).toBe(subject)
})

test('R35 a body cannot end the message and add commands or headers', async () => {
  for (const end of LINE_ENDS) {
    const attack = `x${end}.${end}MAIL FROM:<eve@example.org>${end}RCPT TO:<eve@example.org>${end}DATA${end}Bcc: eve@example.org`
    expect((await send({ text_body: attack, html_body: attack })).body.status).toBe('sent')
  }
  expect(smtp.mails).toHaveLength(LINE_ENDS.length)
  for (const arrived of smtp.mails) {
    expect(arrived).toMatchObject({ from: 'heliograph@example.org', to: ['ada@example.org'] })
    expect(headerOf(arrived, 'bcc')).toBeUndefined()
  }
  const names = commands().map((line) => line.replace(/ SIZE=\d+$/, ''))
  expect([...new Set(names.map((line) => line.replace(/^EHLO .*/, 'EHLO')))].sort()).toEqual(
    ['DATA', 'EHLO', 'MAIL FROM:<heliograph@example.org>', 'QUIT', 'RCPT TO:<ada@example.org>'].sort(),
  )
})

test('R35 a mail of 256 KB arrives complete, in lines of legal length', async () => {
  const html = 'ä'.repeat(262_144)
  expect((await send({ html_body: html, text_body: undefined })).body.status).toBe('sent')
  const { raw } = smtp.mails[0]!
  expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
  expect(headerOf(smtp.mails[0]!, 'content-transfer-encoding')).toBe('base64')
  expect(Buffer.from(raw.slice(raw.indexOf('\r\n\r\n')), 'base64').toString()).toBe(html)
})

test('R35 members that the mail library would read as files or URLs are refused by the schema', async () => {
  const objects = [{ path: '/etc/passwd' }, { href: 'http://127.0.0.1:1/' }, { raw: 'x' }, ['/etc/passwd'], 7, true]
  for (const value of objects) {
    for (const name of ['to', 'subject', 'text_body', 'html_body', 'attachments', 'headers', 'envelope', 'raw', 'cc']) {
      expect((await send({ [name]: value })).status, `${name} ${JSON.stringify(value)}`).toBe(422)
    }
  }
  expect(smtp.mails).toEqual([])
})

// RFC 2047 as far as our mails use it.
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('latin1')
        : word
            .replace(/_/g, ' ')
            .replace(/=([0-9a-f]{2})/gi, (__, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
    .replace(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString())
}
