// heliograph answer, ack and read: what a person does with a notification, from a shell. All need a full-access token.
import { Command } from 'commander'
import type { AnswerView } from '../../../contract/answers.ts'
import type { ReadResult } from '../../../contract/notifications/inbox.ts'
import type { NotificationView } from '../../../contract/notifications/notification.ts'
import { wholeNumber } from '../../../runtime/setting-values.ts'
import { print } from '../../output.ts'
import { optionParser } from '../../settings-options.ts'
import { type Api, apiFor } from '../api.ts'
import { asClient } from '../arguments/options.ts'
import type { Asked } from '../common-commands.ts'
import { ClientError, EXIT_CODES } from '../errors.ts'

const notificationId = optionParser(wholeNumber(1, Number.MAX_SAFE_INTEGER))
const ids = (text: string, before: number[] = []) => [...before, notificationId(text)]

export function answerCommand(): Command {
  const command = new Command('answer')
    .description('answer a question; the first answer counts')
    .argument('<id>', 'id of the notification, as "heliograph inbox" prints it', notificationId)
    .argument('<action>', 'id of the button')
    .option('--text <text>', 'typed answer, for a button that takes one')
  asClient(command, 'heliograph answer 17 yes')
  return command.action(async (id: number, action: string, { text, json }: Asked & { text?: string }) => {
    const answer = await answerWith(apiFor(command), id, action, text)
    print(json, answer, `answered ${id} with ${action}`)
  })
}

export function ackCommand(): Command {
  const command = new Command('ack')
    .description('acknowledge alerts, so that they stop repeating')
    .argument('<id...>', 'ids of notifications, as "heliograph inbox" prints them', ids)
  asClient(command, 'heliograph ack 17 18')
  return command.action(async (alerts: number[], { json }: Asked) => {
    const api = apiFor(command)
    for (const id of alerts) {
      const answer = await answerWith(api, id, await onlyButton(api, id))
      print(json, answer, `acknowledged ${id}`)
    }
  })
}

type ReadOptions = Asked & { all?: boolean; unread?: boolean }

export function readCommand(): Command {
  const command = new Command('read')
    .description('mark notifications as read')
    .argument('[id...]', 'ids of notifications, as "heliograph inbox" prints them', ids)
    .option('--all', 'all of the inbox')
    .option('--unread', 'mark them as unread again')
  asClient(command, 'heliograph read 17 18')
  return command.action(async (given: number[] | undefined, { all, unread, json }: ReadOptions) => {
    const read = given?.length ? given : undefined
    if ((read === undefined) === (all === undefined)) command.error('error: give either ids or --all')
    const { body } = await apiFor(command)<ReadResult>('POST', '/notifications/read', { ids: read, all, unread })
    print(json, body, `marked ${body.updated} as ${unread ? 'unread' : 'read'}`)
  })
}

async function answerWith(api: Api, id: number, action: string, text?: string): Promise<AnswerView> {
  return (await api<AnswerView>('POST', `/notifications/${id}/answer`, { action_id: action, text })).body
}

// Any recorded button acknowledges the alert. With several of them the choice is an answer, so the person must name one.
async function onlyButton(api: Api, id: number): Promise<string> {
  const { body } = await api<NotificationView>('GET', `/notifications/${id}`)
  const buttons = (body.actions ?? []).filter(({ url, foreground }) => url === undefined && !foreground)
  const [button, ...others] = buttons.map((action) => action.id)
  if (button === undefined) throw new ClientError(EXIT_CODES.refused, `notification ${id} has nothing to acknowledge`)
  if (others.length === 0) return button
  const choice = [button, ...others].join(', ')
  throw new ClientError(
    EXIT_CODES.usage,
    `notification ${id} has several buttons; "heliograph answer" takes one: ${choice}`,
  )
}
