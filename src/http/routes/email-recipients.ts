// The recipients of an account over HTTP.
import { RecipientInput, RecipientList, RecipientParams, RecipientView } from '../../contract/emails.ts'
import type { Context } from '../../operations/context.ts'
import { isMailEnabled } from '../../operations/emails/emails.ts'
import { addRecipient, allRecipients, removeRecipient, resendConfirmation } from '../../operations/emails/recipients.ts'
import { recipientView } from '../../views/emails.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['E-mail']

export function emailRecipientRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/emails/recipients',
    {
      schema: {
        tags,
        operationId: 'listRecipients',
        summary: 'List the e-mail recipients',
        response: { 200: RecipientList },
      },
      config: { access: 'user' },
    },
    async (request) => ({
      items: (await allRecipients(ctx, callerOf(request))).map(recipientView),
      email_enabled: isMailEnabled(ctx),
    }),
  )

  app.post(
    '/emails/recipients',
    {
      schema: {
        tags,
        operationId: 'addRecipient',
        summary: 'Add a recipient and ask it for confirmation by e-mail',
        description:
          'The e-mail has a link that works once, for 48 hours. An unconfirmed address gets no other e-mail. A known address is answered with 200 and not asked again.',
        body: RecipientInput,
        response: { 201: RecipientView, 200: RecipientView },
      },
      config: { access: 'user', problems: ['email.invalid', 'email.recipient_limit_exceeded', 'email.not_enabled'] },
    },
    async (request, reply) => {
      const { recipient, action } = await addRecipient(ctx, callerOf(request), request.body.address)
      return reply.code(action === 'created' ? 201 : 200).send(recipientView(recipient))
    },
  )

  app.post(
    '/emails/recipients/:recipient_id/resend',
    {
      schema: {
        tags,
        operationId: 'resendConfirmation',
        summary: 'Send a new confirmation link',
        description:
          'The link of the earlier e-mail stops working. Does nothing for a recipient that has confirmed or unsubscribed.',
        params: RecipientParams,
        response: { 200: RecipientView },
      },
      config: { access: 'user', problems: ['email.recipient_not_found', 'email.not_enabled'] },
    },
    async (request) => recipientView(await resendConfirmation(ctx, callerOf(request), request.params.recipient_id)),
  )

  app.delete(
    '/emails/recipients/:recipient_id',
    {
      schema: {
        tags,
        operationId: 'deleteRecipient',
        summary: 'Delete a recipient',
        params: RecipientParams,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ['email.recipient_not_found'] },
    },
    async (request, reply) => {
      await removeRecipient(ctx, callerOf(request), request.params.recipient_id)
      return reply.code(204).send()
    },
  )
}
