// A real SMTP server that records every byte it was sent and gives scripted answers.
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { SelfSigned } from './self-signed.ts'

export type ReceivedMail = { from: string; to: string[]; raw: string }

// The answer to a command instead of accepting it; `hang` never answers.
export type SmtpAnswer = { code: number; text: string } | 'hang' | undefined

export type FakeSmtp = {
  port: number
  // Every accepted mail, oldest first.
  mails: ReceivedMail[]
  // Everything that clients sent, byte for byte; empty when the server offers TLS.
  transcript(): string
  logins: { user?: string; password?: string | null }[]
  answerSender: () => SmtpAnswer
  answerRecipient: (address: string) => SmtpAnswer
  answerMessage: (mail: ReceivedMail) => SmtpAnswer
  answerLogin: () => SmtpAnswer
  // Accepts everything again.
  reset(): void
  close(): Promise<void>
}

type Callback = (error?: Error | null) => void

// `tls`: from the first byte, or after STARTTLS, with no login before it. Without it, plain text only.
export type SmtpTls = SelfSigned & { from: 'connect' | 'starttls' }

export async function startFakeSmtp(tls?: SmtpTls, host = '127.0.0.1'): Promise<FakeSmtp> {
  const said: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: tls === undefined,
    ...(tls ? { key: tls.key, cert: tls.cert, secure: tls.from === 'connect' } : { disabledCommands: ['STARTTLS'] }),
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      smtp.logins.push({ user: username, password })
      reply(smtp.answerLogin(), (error) => (error ? done(error) : done(null, { user: username ?? '' })))
    },
    onMailFrom: (_address, _session, done) => reply(smtp.answerSender(), done),
    onRcptTo: ({ address }, _session, done) => reply(smtp.answerRecipient(address), done),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        const mail = { from, to, raw: Buffer.concat(chunks).toString() }
        const answer = smtp.answerMessage(mail)
        if (!answer) smtp.mails.push(mail)
        reply(answer, done)
      })
    },
  })
  // The server greets first, so this listener is attached before a client sends.
  server.server.on('connection', (socket: Socket) => {
    // A socket under TLS must be neither read nor destroyed here.
    if (tls) return
    sockets.add(socket)
    socket.on('data', (chunk) => said.push(chunk))
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('error', () => {})
  server.listen(0, host)
  await once(server.server, 'listening')
  const takesEverything = {
    answerSender: () => undefined,
    answerRecipient: () => undefined,
    answerMessage: () => undefined,
    answerLogin: () => undefined,
  }
  const smtp: FakeSmtp = {
    port: (server.server.address() as AddressInfo).port,
    mails: [],
    transcript: () => Buffer.concat(said).toString('latin1'),
    logins: [],
    ...takesEverything,
    reset: () => Object.assign(smtp, takesEverything),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
  return smtp
}

function reply(answer: SmtpAnswer, done: Callback): void {
  if (answer === 'hang') return
  done(answer && Object.assign(new Error(answer.text), { responseCode: answer.code }))
}

// The header lines of a mail, with folded ones joined, in the order they came.
export function headersOf({ raw }: ReceivedMail): [name: string, value: string][] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return head.split('\r\n').map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
}

export const headerOf = (mail: ReceivedMail, name: string) => headersOf(mail).find(([one]) => one === name)?.[1]
