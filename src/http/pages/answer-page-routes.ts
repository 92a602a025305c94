// The page on which a person answers in a browser, without a session: the ticket in its address is the secret. Opening it
// changes nothing, because messengers and scanners open links; its buttons do.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { TicketAnswer } from '../../contract/answers.ts'
import { Text } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import { readEncodedFields } from '../../domain/doors/forms.ts'
import { storableText } from '../../domain/text.ts'
import { answerByTicket } from '../../operations/answers/answers.ts'
import { readQuestion } from '../../operations/answers/question.ts'
import type { Context } from '../../operations/context.ts'
import type { HttpServer } from '../fastify-types.ts'
import { type LinkPage, sendHtml, sendPage } from '../html.ts'
import { problemOf, setRetryAfter } from '../problem-reply.ts'
import { parseBodies } from '../request-body.ts'
import { answerPage } from './answer-page.ts'

const config = { access: 'public' } as const
const params = Type.Object({ ticket: Type.String() })
// The longest text has 4,096 characters, each of up to 12 when it is escaped.
const MOST_FORM_BYTES = 64 * 1024
const querystring = Type.Object({ device: Type.Optional(Text(LIMITS.device.maxIdChars, { minLength: 1 })) })

export function answerPageRoutes(app: HttpServer, ctx: Context): void {
  app.register((scope: HttpServer, _options, done) => {
    parseBodies(scope, ['application/x-www-form-urlencoded'], (_request, body) => readForm(body.toString()))
    scope.setErrorHandler((error, request, reply) => sendProblem(ctx, error, request, reply))

    scope.get('/answers/:ticket', { schema: { params, querystring }, config }, async (request, reply) => {
      const { ticket } = request.params
      const question = await readQuestion(ctx, ticket)
      if (!question) return sendPage(reply, 404, UNKNOWN)
      return sendHtml(reply, 200, {
        title: question.title,
        content: answerPage(question, { ticket, device: request.query.device }),
      })
    })

    // To a form the answer is a redirect to the page, so that a reload does not send the form again.
    const form = { schema: { params, body: TicketAnswer }, config, bodyLimit: MOST_FORM_BYTES }
    scope.post('/answers/:ticket/form', form, async (request, reply) => {
      await answerByTicket(ctx, request.params.ticket, request.body)
      return reply.redirect(pageAfter(request.params.ticket, request.body.device_id), 303)
    })
    done()
  })
}

// Relative to the address of the form.
const pageAfter = (ticket: string, device: string | undefined) =>
  `../${encodeURIComponent(ticket)}${device === undefined ? '' : `?device=${encodeURIComponent(device)}`}`

// Browsers send the lines of a text with CR LF.
const readForm = (body: string): Record<string, string> =>
  Object.fromEntries(
    readEncodedFields(body).map(([name, value]) => [name, storableText(value).replaceAll('\r\n', '\n')]),
  )

function sendProblem(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(ctx.log, error, request)
  // Somebody was faster: the page shows the first answer.
  if (problem.problem === 'notification_answer.already_answered') {
    const { ticket } = request.params as { ticket: string }
    return reply.redirect(pageAfter(ticket, undefined), 303)
  }
  if (problem.problem === 'notification_answer.not_found') return sendPage(reply, 404, UNKNOWN)
  setRetryAfter(reply, problem)
  return sendPage(reply, problem.status, { title: 'This did not work', text: problem.detail })
}

const UNKNOWN: LinkPage = {
  title: 'This link is not valid',
  text: `It is incomplete, or the notification was deleted, asks something else by now, or is older than ${LIMITS.answer.keptDays} days.`,
}
