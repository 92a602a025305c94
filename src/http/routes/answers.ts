// Answers over HTTP: senders read and wait, devices and people answer.
import { Type } from 'typebox'
import { ActivityView } from '../../contract/activities.ts'
import { AnswerInput, AnswerView, TicketAnswer } from '../../contract/answers.ts'
import { Wait } from '../../contract/fields.ts'
import { NotificationParams } from '../../contract/notifications/notification.ts'
import { answerAsUser, answerByTicket, readAnswer } from '../../operations/answers/answers.ts'
import type { Context } from '../../operations/context.ts'
import { activityView } from '../../views/activities.ts'
import { answerView } from '../../views/answers.ts'
import { route, table } from '../route.ts'

export const ANSWERING = [
  'notification_answer.not_found',
  'notification_answer.already_answered',
  'notification_answer.action_unknown',
] as const

export const answerRoutes = (ctx: Context) =>
  table({ tag: 'Answers' }, [
    route('GET /notifications/answers/:id', {
      id: 'getAnswer',
      summary: 'Read the answer to a notification, or wait for it',
      access: { resource: 'notifications', level: 'send' },
      organization: true,
      params: NotificationParams,
      query: Wait('Seconds to hold the request until there is an answer.'),
      ok: AnswerView,
      problems: ['notification_answer.not_found', 'answer_wait.limit_exceeded'],
      handle: async ({ caller, params, query, gone }) => {
        const wait = { seconds: query.wait ?? 0, gone }
        return answerView(await readAnswer(ctx, caller, params.id, wait))
      },
    }),

    route('POST /notifications/:id/answer', {
      id: 'answerNotification',
      summary: 'Answer a notification as the user',
      access: 'user',
      params: NotificationParams,
      body: AnswerInput,
      ok: AnswerView,
      problems: ANSWERING,
      handle: async ({ caller, params, body }) => answerView(await answerAsUser(ctx, caller, params.id, body)),
    }),

    route('POST /answers/:ticket', {
      id: 'answerByTicket',
      summary: 'Answer with the ticket that a push carries',
      description:
        'The ticket of a notification takes `action_id`, `text` and `device_id`; the ticket of an approval takes `option`.',
      access: 'public',
      params: Type.Object({ ticket: Type.String({ description: 'The ticket of the push.' }) }),
      body: TicketAnswer,
      ok: Type.Union([AnswerView, ActivityView]),
      problems: ANSWERING,
      handle: async ({ params, body }) => {
        const answered = await answerByTicket(ctx, params.ticket, body)
        return 'standing' in answered ? activityView(answered) : answerView(answered)
      },
    }),
  ])
