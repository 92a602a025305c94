// The recipients of an account over HTTP.
import { RecipientInput, RecipientList, RecipientParams, RecipientView } from '../../contract/email.ts'
import type { Context } from '../../operations/context.ts'
import { addRecipient, allRecipients, removeRecipient, resendConfirmation } from '../../operations/emails/recipients.ts'
import { recipientView } from '../../views/email.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['E-mail']

export function emailRecipientRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/emails/recipients',
    {
      schema: { tags, summary: 'Whom the account may write to', response: { 200: RecipientList } },
      config: { access: 'user' },
    },
    async (request) => ({ items: (await allRecipients(ctx, callerOf(request))).map(recipientView) }),
  )

  app.post(
    '/emails/recipients',
    {
      schema: {
        tags,
        summary: 'Add a recipient, who is asked by mail',
        description:
          'The mail has a link that is good once, for 48 hours. Until it is confirmed nothing else is sent there. An address that is known already is answered with 200 and not asked again.',
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
        summary: 'Ask a recipient again, with a new link',
        description: 'Does nothing for one that has confirmed, or wants no mail. The link of the earlier mail is dead.',
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
      schema: { tags, summary: 'Remove a recipient', params: RecipientParams, response: { 204: {} } },
      config: { access: 'user', problems: ['email.recipient_not_found'] },
    },
    async (request, reply) => {
      await removeRecipient(ctx, callerOf(request), request.params.recipient_id)
      return reply.code(204).send()
    },
  )
}
