// Sending e-mail over HTTP, and the history of it.
import { EmailInput, EmailList, EmailQuery, type EmailView, SentEmailView } from '../../contract/email.ts'
import { type Email, emailDeliveryOf } from '../../domain/emails/email.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import type { Context } from '../../operations/context.ts'
import { listSentEmails, sendEmail } from '../../operations/emails/emails.ts'
import { rememberAnswer } from '../../operations/idempotency.ts'
import type { HttpServer } from '../fastify-types.ts'
import { IdempotencyHeaders, idempotencyKeyOf, sendStored } from '../idempotency.ts'
import { callerOf } from '../request-checks.ts'

const tags = ['E-mail']
const access = { resource: 'emails', level: 'send' } as const

export function emailRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/emails',
    {
      schema: {
        tags,
        operationId: 'sendEmail',
        summary: 'Send an e-mail to a verified recipient',
        description:
          'The e-mail is stored before it is sent. The response waits at most ten seconds for the mail server; after a temporary failure the server retries for a day, and `GET /emails` shows the result.',
        requestHeaders: IdempotencyHeaders,
        body: EmailInput,
        response: { 201: SentEmailView },
      },
      config: {
        access,
        isIdempotent: true,
        problems: [
          'email.invalid',
          'email.recipient_not_verified',
          'email.not_enabled',
          'email.not_found',
          'idempotency.key_reused',
          'idempotency.in_progress',
          'quota.exceeded',
        ],
      },
    },
    async (request, reply) => {
      const once = idempotencyKeyOf(request)
      const result = await sendEmail(ctx, callerOf(request), request.body, once)
      if ('replay' in result) {
        reply.code(201).header('idempotent-replayed', 'true')
        if ('sent' in result.replay) return reply.send(sentView(result.replay.sent))
        return sendStored(reply, result.replay.stored)
      }
      const view = sentView(result.sent)
      if (once) await rememberAnswer(ctx, once, result.sent.id, JSON.stringify(view))
      return reply.code(201).send(view)
    },
  )

  app.get(
    '/emails',
    {
      schema: {
        tags,
        operationId: 'listEmails',
        summary: 'List the e-mails sent, newest first',
        description: 'A key sees the e-mails that it sent. They are kept for 90 days, without the bodies.',
        querystring: EmailQuery,
        response: { 200: EmailList },
      },
      config: { access, problems: ['cursor.invalid'] },
    },
    async (request) => {
      const { items, nextCursor } = await listSentEmails(ctx, callerOf(request), request.query)
      return { items: items.map(emailView), next_cursor: nextCursor, has_more: nextCursor !== undefined }
    },
  )
}

const sentView = (email: Email): SentEmailView => ({ ...emailView(email), ...emailDeliveryOf(email) })

function emailView({ id, to, subject, status, error, messageId, createdAt }: Email): EmailView {
  const isQueued = status === 'queued'
  return {
    id,
    to,
    subject,
    status: isQueued ? 'failed' : status,
    provider_message_id: status === 'sent' ? messageId : undefined,
    error: isQueued
      ? `Not sent yet, and tried again: ${error ?? 'the mail server has not answered.'}`
      : (error ?? undefined),
    created_at: toRfc3339(createdAt),
  }
}
