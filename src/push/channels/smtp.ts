// Hands one letter at a time to the operator's mail server, and reads its answer as an outcome. Only a permanent refusal
// of the recipient says something about the address; trouble of any other kind is the server's, and passes.
import type { Options as LetterOptions } from 'nodemailer/lib/mail-composer'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Mailbox } from '../../domain/emails/address.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Secret } from '../../runtime/secret.ts'
import { isLoopback } from '../../runtime/setting-values.ts'
import { createTurns } from './limit-concurrency.ts'

export type Letter = {
  to: string
  subject: string
  text?: string
  html?: string
  // The same on each try: a mail server that gets it twice can tell.
  messageId: string
  sentAt: Instant
  unsubscribeUrl: string
}

export type MailOutcome =
  | { result: 'accepted' }
  | { result: 'recipient_refused'; reason: string }
  // Will never work, whoever it is for; not retried.
  | { result: 'rejected'; reason: string }
  | { result: 'try_later'; reason: string }

export type MailChannel = {
  // Never rejects.
  send(letter: Letter): Promise<MailOutcome>
  // Lets what is under way come to its end, but not for long.
  close(): Promise<void>
}

// `ca` is trusted instead of the authorities that everyone trusts.
export type SmtpOptions = { url: Secret; from: Mailbox; clock: Clock; log: Log; ca?: string }

// Servers look into a letter before they answer for it. Whoever hangs up on them sends it twice.
export const SEND_DEADLINE_MS = 60_000
const CLOSE_GRACE_MS = 2000
// Mail servers hang up on clients that open many connections.
const MOST_CONNECTIONS = 5

export function openSmtp({ url, from, clock, log, ca }: SmtpOptions): MailChannel {
  const server = serverOf(new URL(url.reveal()), ca)
  const inTurn = createTurns(MOST_CONNECTIONS)
  const underWay = new Map<Promise<MailOutcome>, () => void>()
  let isClosed = false
  return {
    async send(letter) {
      if (isClosed) return { result: 'try_later', reason: 'The service is stopping.' }
      const { signal, giveUp } = abortable()
      const sending = inTurn(() => exchange(server, from, letter, signal)).then(
        (): MailOutcome => ({ result: 'accepted' }),
        (error: SmtpError) => toOutcome(error, log),
      )
      underWay.set(sending, giveUp)
      const cancelDeadline = clock.wakeAfter(SEND_DEADLINE_MS, giveUp)
      const outcome = await sending
      cancelDeadline()
      underWay.delete(sending)
      return outcome
    },
    async close() {
      isClosed = true
      const timer = setTimeout(() => {
        for (const giveUp of underWay.values()) giveUp()
      }, CLOSE_GRACE_MS)
      await Promise.all(underWay.keys())
      clearTimeout(timer)
    },
  }
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, giveUp: () => controller.abort() }
}

type Server = { connection: SMTPConnection.Options; login: { user: string; pass: string } | undefined }

// Written down here rather than left to the library's reading of the URL, where an option could switch TLS checks off.
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
      connectionTimeout: SEND_DEADLINE_MS,
      socketTimeout: SEND_DEADLINE_MS,
    },
  }
}

async function exchange(server: Server, from: Mailbox, letter: Letter, signal: AbortSignal): Promise<void> {
  // Loaded with the first letter: most servers never send one.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const message = await new MailComposer(compose(from, letter)).compile().build()
  signal.throwIfAborted()
  const connection = new Connection(server.connection)
  try {
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: Error | null) => (error ? reject(error) : resolve())
      const envelope = { from: from.address, to: [letter.to], size: message.length }
      const send = (error?: Error | null) => (error ? reject(error) : connection.send(envelope, message, settle))
      signal.addEventListener('abort', () => reject(new Error('the mail server did not answer in time')))
      connection.on('error', reject)
      connection.connect((error) => {
        if (error || !server.login || !connection.allowsAuth) send(error)
        else connection.login(server.login, send)
      })
    })
    connection.quit()
  } catch (error) {
    connection.close()
    throw error
  }
}

// RFC 8058: one click, without a look at the page.
function compose(from: Mailbox, letter: Letter): LetterOptions {
  return {
    from,
    to: { name: '', address: letter.to },
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    messageId: letter.messageId,
    date: new Date(letter.sentAt),
    headers: {
      'List-Unsubscribe': { prepared: true, value: `<${letter.unsubscribeUrl}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number }

// A refused sender or sign-in is for the operator to mend, and none of a caller's business.
const ABOUT_THE_LETTER = ['RCPT TO', 'DATA']

function toOutcome(error: SmtpError, log: Log): MailOutcome {
  const { code, command = '', response, responseCode = 0 } = error
  const isAboutLetter = ABOUT_THE_LETTER.includes(command)
  const reason = isAboutLetter && response ? inOneLine(response) : 'The mail server cannot be reached or used.'
  if (responseCode >= 500 && command === 'RCPT TO') return { result: 'recipient_refused', reason }
  if (responseCode >= 500 && isAboutLetter) return { result: 'rejected', reason }
  // Larger than the server said it takes; it was not even asked.
  if (code === 'EMESSAGE' && responseCode === 0) return { result: 'rejected', reason: inOneLine(error.message) }
  log.warn({ code, command, response: inOneLine(response ?? error.message) }, 'the mail server does not take our mail')
  return { result: 'try_later', reason }
}

const inOneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, 256)
    .toWellFormed()
