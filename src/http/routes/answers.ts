// Answers over HTTP: senders read and wait, devices and people answer.
import { Type } from 'typebox'
import { ActivityView } from '../../contract/activities.ts'
import { AnswerInput, AnswerView, TicketAnswer } from '../../contract/answers.ts'
import { Wait } from '../../contract/fields.ts'
import { NotificationParams } from '../../contract/notifications/notification.ts'
import type { Context } from '../../operations/context.ts'
import { answerAsUser, answerByTicket, readAnswer } from '../../operations/notifications/answers.ts'
import { activityView } from '../../views/activities.ts'
import { answerView } from '../../views/answers.ts'
import { callerOf } from '../caller.ts'
import { disconnectSignal } from '../connections/client-disconnect.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['Answers']
export const ANSWERING = [
  'notification_answer.not_found',
  'notification_answer.already_answered',
  'notification_answer.action_unknown',
] as const

export function answerRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/notifications/answers/:id',
    {
      schema: {
        tags,
        operationId: 'getAnswer',
        summary: 'Read the answer to a notification, or wait for it',
        params: NotificationParams,
        querystring: Wait('Seconds to hold the request until there is an answer.'),
        response: { 200: AnswerView },
      },
      config: {
        access: { resource: 'notifications', level: 'send' },
        problems: ['notification_answer.not_found', 'answer_wait.limit_exceeded'],
      },
    },
    async (request, reply) => {
      const wait = { seconds: request.query.wait ?? 0, gone: disconnectSignal(reply) }
      return answerView(await readAnswer(ctx, callerOf(request), request.params.id, wait))
    },
  )

  app.post(
    '/notifications/:id/answer',
    {
      schema: {
        tags,
        operationId: 'answerNotification',
        summary: 'Answer a notification as the user',
        params: NotificationParams,
        body: AnswerInput,
        response: { 200: AnswerView },
      },
      config: { access: 'user', problems: ANSWERING },
    },
    async (request) => answerView(await answerAsUser(ctx, callerOf(request), request.params.id, request.body)),
  )

  app.post(
    '/answers/:ticket',
    {
      schema: {
        tags,
        operationId: 'answerByTicket',
        summary: 'Answer with the ticket that a push carries',
        description:
          'The ticket of a notification takes `action_id`, `text` and `device_id`; the ticket of an approval takes `option`.',
        params: Type.Object({ ticket: Type.String({ description: 'The ticket of the push.' }) }),
        body: TicketAnswer,
        response: { 200: Type.Union([AnswerView, ActivityView]) },
      },
      config: { access: 'public', problems: ANSWERING },
    },
    async (request) => {
      const answered = await answerByTicket(ctx, request.params.ticket, request.body)
      return 'standing' in answered ? activityView(answered) : answerView(answered)
    },
  )
}
