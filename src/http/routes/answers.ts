// Answers over HTTP: senders read and wait, devices answer.
import { Type } from 'typebox'
import { ActivityView } from '../../contract/activity.ts'
import { AnswerInput, AnswerView, TicketAnswer } from '../../contract/answer.ts'
import { Wait } from '../../contract/fields.ts'
import { NotificationParams } from '../../contract/notification.ts'
import { Problem } from '../../contract/problems.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import type { Answer } from '../../domain/notifications/answer.ts'
import type { Context } from '../../operations/context.ts'
import { answerAsUser, answerByTicket, type Recorded, readAnswer } from '../../operations/notifications/answers.ts'
import { hangUpSignal } from '../connections/client-disconnect.ts'
import type { HttpServer } from '../fastify-types.ts'
import { callerOf } from '../request-checks.ts'
import { activityView } from './activity-view.ts'

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
      const wait = { seconds: request.query.wait ?? 0, gone: hangUpSignal(reply) }
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
    async (request) => firstAnswerView(await answerAsUser(ctx, callerOf(request), request.params.id, request.body)),
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
      return 'activity' in answered ? activityView(answered.activity) : firstAnswerView(answered)
    },
  )
}

function firstAnswerView({ isFirst, answer }: Recorded): AnswerView {
  if (isFirst) return answerView(answer)
  throw new Problem('notification_answer.already_answered', 'This notification has been answered already.', {
    answer: answerView(answer),
  })
}

function answerView({ notificationId, given }: Answer): AnswerView {
  if (!given) return { notification_id: notificationId, status: 'pending' }
  return {
    notification_id: notificationId,
    status: 'answered',
    action_id: given.actionId,
    text: given.text,
    answered_at: toRfc3339(given.at),
  }
}
