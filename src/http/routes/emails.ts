// E-mail over HTTP: sending, the history, and the recipients of an account. The pages behind the links in e-mails are in
// pages/email-links.ts.
import {
  EmailInput,
  EmailList,
  EmailQuery,
  RecipientInput,
  RecipientList,
  RecipientParams,
  RecipientPatch,
  RecipientView,
  SentEmailView,
} from '../../contract/emails.ts'
import type { Context } from '../../operations/context.ts'
import { isMailEnabled, readEmailPage, sendEmail } from '../../operations/emails/emails.ts'
import {
  addRecipient,
  allRecipients,
  removeRecipient,
  resendConfirmation,
  setSignsIn,
} from '../../operations/emails/recipients.ts'
import { emailView, recipientView, sentEmailView } from '../../views/emails.ts'
import { pageView } from '../../views/page.ts'
import { IdempotencyHeaders, idempotentRequest, replyCreated } from '../idempotency.ts'
import { route, table } from '../route.ts'

const toSend = { resource: 'emails', level: 'send' } as const

export const emailRoutes = (ctx: Context) =>
  table({ tag: 'E-mail', access: 'user' }, [
    route('POST /emails', {
      id: 'sendEmail',
      summary: 'Send an e-mail to a verified recipient',
      description:
        'The e-mail is stored before it is sent. The response waits at most ten seconds for the mail server; after a temporary failure the server retries for a day, and `GET /emails` shows the result.',
      access: toSend,
      isIdempotent: true,
      headers: IdempotencyHeaders,
      body: EmailInput,
      created: SentEmailView,
      problems: [
        'email.invalid',
        'email.recipient_not_verified',
        'email.not_enabled',
        'email.not_found',
        'quota.exceeded',
      ],
      handle: async ({ caller, body, request, reply }) => {
        const sent = await sendEmail(ctx, caller, body, idempotentRequest(request))
        return replyCreated(reply, sent, sentEmailView)
      },
    }),

    route('GET /emails', {
      id: 'listEmails',
      summary: 'List the e-mails sent, newest first',
      description: 'A key sees the e-mails that it sent. They are kept for 90 days, without the bodies.',
      access: toSend,
      query: EmailQuery,
      ok: EmailList,
      problems: ['cursor.invalid'],
      handle: async ({ caller, query }) => pageView(await readEmailPage(ctx, caller, query), emailView),
    }),

    route('GET /emails/recipients', {
      id: 'listRecipients',
      summary: 'List the e-mail recipients',
      ok: RecipientList,
      handle: async ({ caller }) => ({
        items: (await allRecipients(ctx, caller)).map(recipientView),
        email_enabled: isMailEnabled(ctx),
      }),
    }),

    route('POST /emails/recipients', {
      id: 'addRecipient',
      summary: 'Add a recipient and ask it for confirmation by e-mail',
      description:
        'The e-mail has a link that works once, for 48 hours. An unconfirmed address gets no other e-mail. A known address is answered with 200 and not asked again.',
      body: RecipientInput,
      created: RecipientView,
      ok: RecipientView,
      problems: ['email.invalid', 'email.recipient_limit_exceeded', 'email.not_enabled'],
      handle: async ({ caller, body, reply }) => {
        const { recipient, action } = await addRecipient(ctx, caller, body.address)
        reply.code(action === 'created' ? 201 : 200)
        return recipientView(recipient)
      },
    }),

    route('POST /emails/recipients/:recipient_id/resend', {
      id: 'resendConfirmation',
      summary: 'Send a new confirmation link',
      description:
        'The link of the earlier e-mail stops working. Does nothing for a recipient that has confirmed or unsubscribed.',
      params: RecipientParams,
      ok: RecipientView,
      problems: ['email.recipient_not_found', 'email.not_enabled'],
      handle: async ({ caller, params }) => recipientView(await resendConfirmation(ctx, caller, params.recipient_id)),
    }),

    route('PATCH /emails/recipients/:recipient_id', {
      id: 'updateRecipient',
      summary: 'Choose whether sign-in links are sent to a recipient',
      description: 'For an own address: whoever reads it can sign in to the account.',
      audited: true,
      params: RecipientParams,
      body: RecipientPatch,
      ok: RecipientView,
      problems: ['email.recipient_not_found', 'email.recipient_not_verified'],
      handle: async ({ caller, params, body }) =>
        recipientView(await setSignsIn(ctx, caller, params.recipient_id, body.sign_in)),
    }),

    route('DELETE /emails/recipients/:recipient_id', {
      id: 'deleteRecipient',
      summary: 'Delete a recipient',
      params: RecipientParams,
      problems: ['email.recipient_not_found'],
      handle: ({ caller, params }) => removeRecipient(ctx, caller, params.recipient_id),
    }),
  ])
