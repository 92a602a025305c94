// The answer page: the question of a ticket with its buttons, or what became of it.
import { LIMITS } from '../../contract/limits.ts'
import type { Choice, Question, Standing } from '../../domain/answers/question.ts'
import { type Instant, toRfc3339 } from '../../domain/instant.ts'
import { escapedHtml } from '../html.ts'

// `device`: the device on which the page was opened, by its id.
export type Asked = { ticket: string; device: string | undefined }

export const answerPage = (question: Question, asked: Asked): string => `${
  question.sender ? `<p class="sender">${escapedHtml(question.sender)}</p>\n` : ''
}<h1>${escapedHtml(question.title)}</h1>
<p class="text">${escapedHtml(question.text)}</p>
${question.standing.state === 'open' ? formsOf(question, asked) : outcomeOf(question.standing)}
${linksOf(question)}`

// Buttons share a form; a reply has one of its own, so that its text is sent with no other button.
function formsOf({ choices, member }: Question, asked: Asked): string {
  const buttons = choices.filter(({ textInput }) => !textInput)
  const replies = choices.filter(({ textInput }) => textInput)
  const form = (content: string) => `<form method="post" action="${formPath(asked)}">${deviceOf(asked)}
${content}
</form>`
  return [
    ...(buttons.length === 0 ? [] : [form(buttons.map((choice, index) => buttonOf(choice, member, index)).join('\n'))]),
    ...replies.map((choice, index) => form(replyOf(choice, member, { index, isPrimary: buttons.length === 0 }))),
  ].join('\n')
}

// Relative, so that it also holds below a path of a proxy.
const formPath = ({ ticket }: Asked) => `${encodeURIComponent(ticket)}/form`

const deviceOf = ({ device }: Asked) =>
  device === undefined ? '' : `<input type="hidden" name="device_id" value="${escapedHtml(device)}">`

const buttonOf = ({ id, title, isDestructive }: Choice, member: string, index: number) =>
  `<button name="${member}" value="${escapedHtml(id)}" class="${isDestructive ? 'danger' : index === 0 ? 'primary' : ''}">${escapedHtml(title)}</button>`

type Place = { index: number; isPrimary: boolean }

// The id of the field is our own: the id of an action may have any characters.
function replyOf({ id, title, textInput }: Choice, member: string, { index, isPrimary }: Place): string {
  const field = `reply-${index}`
  return `<label for="${field}">${escapedHtml(title)}</label>
<textarea id="${field}" name="text" maxlength="${LIMITS.answer.maxTextChars}" placeholder="${escapedHtml(textInput?.placeholder ?? '')}"></textarea>
<button name="${member}" value="${escapedHtml(id)}" class="${isPrimary ? 'primary' : ''}">${escapedHtml(textInput?.button ?? 'Send')}</button>`
}

function outcomeOf(standing: Exclude<Standing, { state: 'open' }>): string {
  switch (standing.state) {
    case 'answered':
      return `<p class="note done" role="status">${answeredText(standing)}</p>
${standing.text ? `<p class="note text">${escapedHtml(standing.text)}</p>\n` : ''}<p class="soft">You can close this page.</p>`
    case 'expired':
      return `<p class="note" role="status"><strong>Expired without an answer</strong><br>${when(standing.at)}</p>`
    case 'canceled':
      return `<p class="note" role="status"><strong>Canceled by the sender, no answer is needed</strong><br>${when(standing.at)}</p>`
  }
}

const answeredText = ({ choice, at }: Extract<Standing, { state: 'answered' }>) =>
  `<strong>Answered${choice === undefined ? '' : `: ${escapedHtml(choice)}`}</strong><br>${when(at)}`

// The page has no script that could tell the time zone of the reader.
function when(at: Instant | undefined): string {
  if (at === undefined) return ''
  const time = toRfc3339(at)
  return `<time datetime="${time}">${time.slice(0, 10)} at ${time.slice(11, 16)} UTC</time>`
}

const linksOf = ({ links }: Question) =>
  links.length === 0
    ? ''
    : `<div class="links">${links.map(({ title, url }) => `<a href="${escapedHtml(url)}" rel="noreferrer noopener">${escapedHtml(title)}</a>`).join('\n')}</div>`
