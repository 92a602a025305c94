// What the answer page shows: a notification or an approval that waits for an answer, or the reason why it does not.
import type { Activity } from '../activities/activity.ts'
import { questionOf } from '../activities/templates/approval.ts'
import { fromUnixSeconds, type Instant } from '../instant.ts'
import type { Notification } from '../notifications/notification.ts'
import type { Receipt } from '../receipts/receipt.ts'
import type { Answer } from './answer.ts'

export type Question = {
  // The name of the sender, if it gave one.
  sender?: string | undefined
  title: string
  text: string
  // The member of a ticket's answer that names the choice.
  member: 'action_id' | 'option'
  choices: Choice[]
  links: { title: string; url: string }[]
  standing: Standing
}

export type Choice = {
  id: string
  title: string
  isDestructive: boolean
  textInput?: { placeholder?: string | undefined; button?: string | undefined }
}

// `choice`: the title of the chosen button; unknown if the alert was acknowledged in another way.
export type Standing =
  | { state: 'open' }
  | { state: 'answered'; choice?: string | undefined; text?: string | undefined; at?: Instant | undefined }
  | { state: 'expired' | 'canceled'; at?: Instant | undefined }

export function questionOfNotification(
  notification: Notification,
  answer: Answer,
  receipt: Receipt | undefined,
): Question {
  const { title, body, subtitle, source, sourceDisplayName, org, actions = [], attachments = [] } = notification
  return {
    sender: org?.name ?? sourceDisplayName ?? source,
    title,
    text: subtitle === undefined ? body : `${subtitle}\n${body}`,
    member: 'action_id',
    choices: answer.actions.map((action) => ({
      id: action.id,
      title: action.title,
      isDestructive: action.destructive === true,
      textInput: action.text_input
        ? { placeholder: action.text_input_placeholder, button: action.text_input_button_title }
        : undefined,
    })),
    links: [
      ...actions.flatMap(({ title, url, foreground }) => (url && foreground && isWebLink(url) ? [{ title, url }] : [])),
      ...attachments.map(({ name, url }) => ({ title: name, url })),
    ],
    standing: standingOfNotification(answer, receipt),
  }
}

// Links to apps would be dead on most devices that open the page.
const isWebLink = (url: string) => /^https?:\/\//i.test(url)

function standingOfNotification({ given, actions }: Answer, receipt: Receipt | undefined): Standing {
  if (given) {
    const choice = actions.find(({ id }) => id === given.actionId)?.title
    return { state: 'answered', choice, text: given.text, at: given.at }
  }
  if (!receipt || receipt.status === 'active') return { state: 'open' }
  if (receipt.status === 'acknowledged') return { state: 'answered', at: receipt.finishedAt }
  return { state: receipt.status, at: receipt.finishedAt }
}

// Undefined if the approval asks something else by now.
export function questionOfApproval(activity: Activity, round: number): Question | undefined {
  const question = questionOf(activity.content)
  if (question?.round !== round) return undefined
  const { state, subtitle, details = [], source } = activity.content as ApprovalText
  const lines = [state, subtitle, ...details.map(({ label, value }) => `${label}: ${value}`)]
  const answerable = question.options.filter(({ url }) => url === undefined)
  return {
    sender: source,
    title: activity.name,
    text: lines.filter((line) => line !== undefined && line !== '').join('\n'),
    member: 'option',
    choices: answerable.map(({ id, title, style }) => ({ id, title, isDestructive: style === 'destructive' })),
    links: [],
    standing: standingOfApproval(activity),
  }
}

type ApprovalText = {
  state?: string
  subtitle?: string
  source?: string
  details?: { label: string; value: string }[]
}

function standingOfApproval(activity: Activity): Standing {
  const { options = [], answer } = questionOf(activity.content) ?? {}
  if (answer?.by === 'user') {
    const choice = options.find(({ id }) => id === answer.option)?.title
    return { state: 'answered', choice, at: fromUnixSeconds(answer.at) }
  }
  return activity.state === 'ongoing' ? { state: 'open' } : { state: 'expired', at: activity.stateAt }
}
