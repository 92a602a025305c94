// The confirmation and unsubscribe pages that e-mails link to. They are HTML for people and mail programs, and not part
// of the API description.
import { Type } from 'typebox'
import type { Context } from '../../operations/context.ts'
import {
  confirmByLink,
  isUnsubscribeTicket,
  readConfirmation,
  unsubscribe,
} from '../../operations/emails/recipients.ts'
import type { HttpServer } from '../fastify-types.ts'
import { type LinkPage, sendPage } from '../html.ts'

const config = { access: 'public' } as const
const Confirm = { params: Type.Object({ token: Type.String() }) }
const Unsubscribe = { params: Type.Object({ ticket: Type.String() }) }

export function emailLinkRoutes(app: HttpServer, ctx: Context): void {
  app.get('/emails/confirm/:token', { schema: Confirm, config }, async (request, reply) => {
    const recipient = await readConfirmation(ctx, request.params.token)
    if (!recipient) return sendPage(reply, 404, DEAD_LINK)
    return sendPage(reply, 200, recipient.verifiedAt === null ? askToConfirm(recipient.address) : CONFIRMED)
  })

  app.post('/emails/confirm/:token', { schema: Confirm, config }, async (request, reply) => {
    const recipient = await confirmByLink(ctx, request.params.token)
    return recipient ? sendPage(reply, 200, CONFIRMED) : sendPage(reply, 404, DEAD_LINK)
  })

  app.get('/emails/unsubscribe/:ticket', { schema: Unsubscribe, config }, async (request, reply) =>
    isUnsubscribeTicket(ctx, request.params.ticket)
      ? sendPage(reply, 200, ASK_TO_UNSUBSCRIBE)
      : sendPage(reply, 404, DEAD_LINK),
  )

  // RFC 8058: a mail program posts here by itself, with or without a body, without opening the page.
  app.post('/emails/unsubscribe/:ticket', { schema: Unsubscribe, config }, async (request, reply) =>
    (await unsubscribe(ctx, request.params.ticket))
      ? sendPage(reply, 200, UNSUBSCRIBED)
      : sendPage(reply, 404, DEAD_LINK),
  )
}

const askToConfirm = (address: string): LinkPage => ({
  title: 'Confirm your address',
  text: `Someone would like to send e-mail to ${address} from this server. Nothing is sent unless you agree, and every mail has a link to stop it.`,
  button: 'Yes, send me e-mail',
})

const CONFIRMED: LinkPage = {
  title: 'Thank you',
  text: 'Your address is confirmed. You can close this page.',
}

const ASK_TO_UNSUBSCRIBE: LinkPage = {
  title: 'No more e-mail?',
  text: 'You will get no more e-mail from this sender.',
  button: 'Unsubscribe',
}

const UNSUBSCRIBED: LinkPage = {
  title: 'You are unsubscribed',
  text: 'You will get no more e-mail from this sender. You can close this page.',
}

const DEAD_LINK: LinkPage = {
  title: 'This link is not valid',
  text: 'It is incomplete, was replaced by a newer one, or is older than 48 hours. Look for a newer mail, or ask the sender for one.',
}
