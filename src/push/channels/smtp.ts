// The mail channel: sends mails to the operator's mail server and translates its answers. Only a permanent refusal of the
// recipient says something about the address; any other error is temporary.
import type { Options as MailOptions } from 'nodemailer/lib/mail-composer'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Mailbox } from '../../domain/emails/address.ts'
import { MAIL_DEADLINE_MS, type MailResult, type OutgoingMail } from '../../domain/emails/email.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Secret } from '../../runtime/secret.ts'
import { isLoopback } from '../../runtime/setting-values.ts'

export type MailChannel = {
  // Never rejects.
  send(mail: OutgoingMail): Promise<MailResult>
  // Waits for mails that are being sent, up to CLOSE_GRACE_MS.
  close(): Promise<void>
}

// `ca` is trusted instead of the default certificate authorities.
export type SmtpOptions = { url: Secret; from: Mailbox; clock: Clock; log: Log; ca?: string }

const CLOSE_GRACE_MS = 2000
// Mail servers disconnect clients with many connections.
const MOST_CONNECTIONS = 5

export function openSmtp({ url, from, clock, log, ca }: SmtpOptions): MailChannel {
  const server = serverOf(new URL(url.reveal()), ca)
  const limitConnections = createConcurrencyLimit(MOST_CONNECTIONS)
  const sendings = new Map<Promise<MailResult>, () => void>()
  let isClosed = false
  return {
    async send(mail) {
      if (isClosed) return { result: 'try_later', reason: 'The service is stopping.' }
      const { signal, giveUp } = abortable()
      const sending = limitConnections(() => exchange(server, from, mail, signal)).then(
        (): MailResult => ({ result: 'accepted' }),
        (error: SmtpError) => toMailResult(error, log),
      )
      sendings.set(sending, giveUp)
      const cancelDeadline = clock.wakeAfter(MAIL_DEADLINE_MS, giveUp)
      const result = await sending
      cancelDeadline()
      sendings.delete(sending)
      return result
    },
    async close() {
      isClosed = true
      const timer = setTimeout(() => {
        for (const giveUp of sendings.values()) giveUp()
      }, CLOSE_GRACE_MS)
      await Promise.all(sendings.keys())
      clearTimeout(timer)
    },
  }
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, giveUp: () => controller.abort() }
}

type Server = { connection: SMTPConnection.Options; login: { user: string; pass: string } | undefined }

// Set explicitly: an option in a URL that nodemailer parses could disable the TLS checks.
function serverOf(url: URL, ca: string | undefined): Server {
  const isSecure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  const login = user === '' ? undefined : { user, pass: decodeURIComponent(url.password) }
  return {
    login,
    connection: {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
      secure: isSecure,
      tls: { ca },
      requireTLS: !isSecure && login !== undefined && !isLoopback(url.hostname),
      logger: false,
      connectionTimeout: MAIL_DEADLINE_MS,
      socketTimeout: MAIL_DEADLINE_MS,
    },
  }
}

// Connects and logs in, and sends nothing. Rejects with the answer of the mail server.
export async function checkSmtpLogin({ url, ca }: Pick<SmtpOptions, 'url' | 'ca'>, signal: AbortSignal): Promise<void> {
  try {
    await converse(serverOf(new URL(url.reveal()), ca), signal, (_connection, done) => done())
  } catch (error) {
    const { response, message } = error as SmtpError
    throw new Error(inOneLine(response ?? message))
  }
}

async function exchange(server: Server, from: Mailbox, mail: OutgoingMail, signal: AbortSignal): Promise<void> {
  // Loaded with the first mail: most servers never send one.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const message = await new MailComposer(toMailOptions(from, mail)).compile().build()
  const envelope = { from: from.address, to: [mail.to], size: message.length }
  await converse(server, signal, (connection, done) => connection.send(envelope, message, done))
}

type Done = (error?: Error | null) => void

// Calls `talk` on a connection that is logged in, and ends the connection when it is done.
async function converse(
  server: Server,
  signal: AbortSignal,
  talk: (connection: SMTPConnection, done: Done) => void,
): Promise<void> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  signal.throwIfAborted()
  const connection = new Connection(server.connection)
  try {
    await new Promise<void>((resolve, reject) => {
      const settle: Done = (error) => (error ? reject(error) : resolve())
      const begin: Done = (error) => (error ? reject(error) : talk(connection, settle))
      signal.addEventListener('abort', () => reject(new Error('the mail server did not answer in time')))
      connection.on('error', reject)
      connection.connect((error) => {
        if (error || !server.login || !connection.allowsAuth) begin(error)
        else connection.login(server.login, begin)
      })
    })
    connection.quit()
  } catch (error) {
    connection.close()
    throw error
  }
}

// List-Unsubscribe-Post is the one-click unsubscription of RFC 8058.
function toMailOptions(from: Mailbox, mail: OutgoingMail): MailOptions {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    date: new Date(mail.sentAt),
    headers: {
      'List-Unsubscribe': { prepared: true, value: `<${mail.unsubscribeUrl}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number }

// The commands whose errors are shown to the API caller. Sender and login errors are logged for the operator only.
const MAIL_COMMANDS = ['RCPT TO', 'DATA']

function toMailResult(error: SmtpError, log: Log): MailResult {
  const { code, command = '', response, responseCode = 0 } = error
  const isAboutMail = MAIL_COMMANDS.includes(command)
  const reason = isAboutMail && response ? inOneLine(response) : 'The mail server cannot be reached or used.'
  if (responseCode >= 500 && command === 'RCPT TO') return { result: 'recipient_refused', reason }
  if (responseCode >= 500 && isAboutMail) return { result: 'rejected', reason }
  // The mail exceeds the SIZE that the server announced, so nodemailer has not sent it.
  if (code === 'EMESSAGE' && responseCode === 0) return { result: 'rejected', reason: inOneLine(error.message) }
  log.warn({ code, command, response: inOneLine(response ?? error.message) }, 'the mail server does not take our mail')
  return { result: 'try_later', reason }
}

const inOneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, 256)
    .toWellFormed()

type LimitConcurrency = <Result>(task: () => Promise<Result>) => Promise<Result>

// The others wait in a queue, first in, first out.
function createConcurrencyLimit(most: number): LimitConcurrency {
  let taken = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (taken < most) taken++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // The slot goes to the next in the queue without being freed, so that a new task cannot overtake it.
      const next = waiting.shift()
      if (next) next()
      else taken--
    }
  }
}
