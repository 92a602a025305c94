// Sending e-mail over HTTP, and the history of it.
import { EmailInput, EmailList, EmailQuery, SentEmailView } from '../../contract/emails.ts'
import type { Context } from '../../operations/context.ts'
import { readEmailPage, sendEmail } from '../../operations/emails/emails.ts'
import { emailView, sentEmailView } from '../../views/emails.ts'
import { pageView } from '../../views/page.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'
import { IdempotencyHeaders, idempotentRequest, replyCreated } from '../idempotency.ts'

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
      const sent = await sendEmail(ctx, callerOf(request), request.body, idempotentRequest(request))
      return replyCreated(reply, sent, sentEmailView)
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
      return pageView(await readEmailPage(ctx, callerOf(request), request.query), emailView)
    },
  )
}
