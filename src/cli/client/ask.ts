// heliograph ask: a question, and the wait for its answer.
import { Command } from 'commander'
import type { AnswerView } from '../../contract/answers.ts'
import type { NotificationAction, SentNotificationView } from '../../contract/notifications/notification.ts'
import { print, printable } from '../output.ts'
import { type Api, apiFor } from './api.ts'
import { readBody } from './arguments/message-body.ts'
import {
  action,
  type NotificationOptions,
  notificationFrom,
  titleAndBody,
  withNotificationOptions,
  withTitle,
} from './arguments/notification-options.ts'
import { asClient, durationInWords, repeatable, withDuration } from './arguments/options.ts'
import { unanswered } from './errors.ts'
import { DEFAULT_WAIT_SECONDS, WAIT_BOUNDS, waitFor } from './wait.ts'

type Options = NotificationOptions & { text?: true | string; timeout?: number; json?: boolean }

const TEXT_ACTION = { id: 'text', title: 'Reply' }

export function askCommand(): Command {
  const command = new Command('ask')
    .description('ask a question, wait for the answer and print its id, then the text if there is one')
    .summary('ask a question and wait for the answer')
  withTitle(command)
    .addOption(repeatable('-A, --action <id=label>', 'an answer to choose; repeatable', action))
    .option('--text [label]', `also take a typed answer; its id is "${TEXT_ACTION.id}"`)
  withDuration(command, '--timeout <duration>', 'how long to wait (default: 1h)', WAIT_BOUNDS)
  withNotificationOptions(command)
  asClient(command, 'heliograph ask "Deploy v1.2?" --action yes=Deploy --action no="Not now"')
  return command.action(async () => {
    const options = command.opts<Options>()
    const [title, body] = titleAndBody(command)
    const actions = actionsFrom(command, options)
    const api = apiFor(command)
    const question = notificationFrom(title, await readBody(body), { ...options, action: actions })
    const { body: sent } = await api<SentNotificationView>('POST', '/notifications', question)
    if (process.stderr.isTTY) console.error(`waiting for an answer to notification ${sent.id}; Ctrl-C stops waiting`)
    await printAnswer(api, sent.id, options)
  })
}

function actionsFrom(command: Command, { action: actions = [], text }: Options): NotificationAction[] {
  const linked = actions.find(({ url }) => url !== undefined)
  if (linked) command.error(`error: the answer "${linked.id}" has an address, so it would not be recorded`)
  if (text === undefined && actions.length === 0) command.error('error: give the answers: --action ID=LABEL, or --text')
  if (text === undefined) return actions
  return [...actions, { ...TEXT_ACTION, ...(text !== true && { title: text }), text_input: true }]
}

async function printAnswer(api: Api, id: number, { timeout = DEFAULT_WAIT_SECONDS, json }: Options): Promise<void> {
  const read = async (seconds: number) =>
    (await api<AnswerView>('GET', `/notifications/answers/${id}?wait=${seconds}`)).body
  const answer = await waitFor(read, ({ status }) => status === 'answered', timeout)
  if (answer.status === 'answered') {
    return print(json, answer, answerInWords(answer))
  }
  if (json) print(json, answer, '')
  throw unanswered(`notification ${id} was not answered within ${durationInWords(timeout)}`)
}

// A program gets the text as it was typed.
function answerInWords({ action_id: id = '', text }: AnswerView): string {
  const lines = text === undefined ? id : `${id}\n${text}`
  return process.stdout.isTTY ? printable(lines) : lines
}
