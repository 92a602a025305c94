// Tools that ask a person and wait for the answer.
import { type Static, Type } from 'typebox'
import { AnswerView } from '../../contract/answers.ts'
import { closed, NotificationId, Text } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import { type NotificationAction, NotificationInput } from '../../contract/notifications/notification.ts'
import { Problem } from '../../contract/problems.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { Answer } from '../../domain/answers/answer.ts'
import type { Caller } from '../../domain/caller.ts'
import { readAnswer } from '../../operations/answers/answers.ts'
import type { Context } from '../../operations/context.ts'
import { sendNotification } from '../../operations/notifications/send.ts'
import type { Wait } from '../../operations/wait-until.ts'
import { answerView } from '../../views/answers.ts'
import { sentNotificationView } from '../../views/notifications.ts'
import {
  createdView,
  IDEMPOTENCY,
  onceOnly,
  patientWait,
  TIMEOUT_SECONDS,
  WAIT_SECONDS,
  waitNote,
} from './shared-arguments.ts'
import { defineTool, READS } from './tool.ts'

const { level, source, source_display_name, thread_id, url, format, target } = NotificationInput.properties

const AskInput = Type.Object(
  {
    question: Text(LIMITS.notification.maxTitleChars, { minLength: 1, description: 'the question, in one line' }),
    details: Type.Optional(
      Text(LIMITS.notification.maxBodyChars, { description: 'what the person needs to know to decide' }),
    ),
    options: Type.Optional(
      Type.Array(Text(LIMITS.action.maxTitleChars, { minLength: 1 }), {
        maxItems: LIMITS.notification.maxActions,
        uniqueItems: true,
        description: 'the answers to choose from, a button each; without any, the person types the answer',
      }),
    ),
    free_text: Type.Optional(Type.Boolean({ description: 'true: the person may also type an answer' })),
    timeout_seconds: TIMEOUT_SECONDS,
    level,
    source,
    source_display_name,
    thread_id,
    url,
    format,
    target,
    ...IDEMPOTENCY,
  },
  closed,
)
type AskInput = Static<typeof AskInput>

const AnsweredQuestion = Type.Object({
  ...AnswerView.properties,
  choice: Type.Optional(Type.String({ description: 'The title of the button that was pressed.' })),
  note: Type.Optional(Type.String({ description: 'If there is no answer: how to get it later.' })),
})
type AnsweredQuestion = Static<typeof AnsweredQuestion>

const toAsk = { resource: 'notifications', level: 'send' } as const

export const askHumanTool = defineTool({
  name: 'ask_human',
  title: 'Ask a person and wait for the answer',
  description:
    'Sends a question to the devices of the account and waits until a person answers it or the time is up. Returns the choice, the typed text, who answered and when. Without an answer the status is pending: the question stays open, and get_answer reads the answer later. Cancelling the call stops the waiting, not the question.',
  input: AskInput,
  output: AnsweredQuestion,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  access: toAsk,
  waits: true,
  async run(ctx, caller, { timeout_seconds, ...args }, call) {
    const { message, request } = onceOnly('ask_human', args)
    const sent = await sendNotification(ctx, caller, notificationOf(message), request)
    const { id } = createdView(sent, sentNotificationView)
    const wait = patientWait(timeout_seconds, call, 'waiting for an answer')
    return answeredView(await answerAfter(ctx, caller, id as NotificationId, wait))
  },
})

export const getAnswerTool = defineTool({
  name: 'get_answer',
  title: 'Read the answer to a question',
  description: 'Reads the answer to a question that ask_human has sent, or to any notification with buttons.',
  input: Type.Object({ notification_id: NotificationId, wait_seconds: WAIT_SECONDS }, closed),
  output: AnsweredQuestion,
  annotations: READS,
  access: toAsk,
  run: async (ctx, caller, { notification_id, wait_seconds: seconds = 0 }, { ended }) =>
    answeredView({ answer: await readAnswer(ctx, caller, notification_id, { seconds, heldBy: 'agent', gone: ended }) }),
})

const TEXT_ACTION: NotificationAction = { id: 'text', title: 'Reply', text_input: true }

function notificationOf({ question, details, options = [], free_text, ...rest }: Omit<AskInput, 'timeout_seconds'>) {
  const choices = options.map((title, index) => ({ id: `option-${index + 1}`, title }))
  const takesText = free_text === true || choices.length === 0
  if (takesText && choices.length === LIMITS.notification.maxActions) {
    const most = LIMITS.notification.maxActions - 1
    throw validationProblem([{ location: 'body.options', message: `must have at most ${most} entries with free_text` }])
  }
  const body = details || options.join(' · ') || 'Type an answer.'
  return { ...rest, title: question, body, actions: takesText ? [...choices, TEXT_ACTION] : choices }
}

type Waited = { answer: Answer; note?: string }

// The question has been sent, so a call that cannot wait returns its id rather than an error: an agent would ask again.
async function answerAfter(ctx: Context, caller: Caller, id: NotificationId, wait: Wait): Promise<Waited> {
  const later = `get_answer with notification_id ${id} reads the answer later`
  try {
    const answer = await readAnswer(ctx, caller, id, wait)
    return answer.given ? { answer } : { answer, note: waitNote(ctx, wait, later) }
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'answer_wait.limit_exceeded') throw error
    const answer = await readAnswer(ctx, caller, id, { ...wait, seconds: 0 })
    return { answer, note: `The question was sent, but this call cannot wait; ${later}. ${error.detail}` }
  }
}

function answeredView({ answer, note }: Waited): AnsweredQuestion {
  const { given, actions, userId } = answer
  const view = answerView(answer)
  if (!given) return { ...view, note }
  const chosen = actions.find(({ id }) => id === given.actionId)
  return { ...view, choice: chosen?.title, answered_by: given.by ?? userId }
}
