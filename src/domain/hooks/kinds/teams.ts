// Microsoft Teams, which many programs post to: adaptive cards, and the older message cards.
import { levelOfColor } from '../levels.ts'
import { MOST_TITLE_CHARS, plainMarkdown } from '../marked-text.ts'
import { entryOf, lines, listOf, type Members, membersOf, textOf } from '../members.ts'
import { type HookDocument, type HookReport, type Level, titled } from '../message.ts'

const MOST_PARTS = 100

export function fromTeams({ json }: HookDocument): HookReport {
  const message = membersOf(json)
  return isMessageCard(message) ? fromMessageCard(message) : fromAdaptiveCards(message)
}

export const isTeamsMessage = (message: Members): boolean => isMessageCard(message) || cardsOf(message).length > 0

const isMessageCard = (message: Members): boolean => textOf(message['@type']) === 'MessageCard'

// A card in the attachments of a message, or alone.
const cardsOf = (message: Members): Members[] =>
  [message, ...listOf(message.attachments).map((one) => membersOf(membersOf(one).content))].filter(
    ({ type }) => type === 'AdaptiveCard',
  )

const LEVELS: Record<string, Level> = { attention: 'time-sensitive', warning: 'active', good: 'passive' }

function fromAdaptiveCards(message: Members): HookReport {
  const cards = cardsOf(message)
  const elements = cards.flatMap(({ body }) => elementsIn(body)).slice(0, MOST_PARTS)
  const heading = elements.find(isHeading)
  const body = lines(...elements.filter((one) => one !== heading).map(elementText))
  const color = elements
    .flatMap((element) => [textOf(element.style), textOf(element.color)])
    .map((word) => word.toLowerCase())
    .find((word) => entryOf(LEVELS, word))
  const title = textOf(heading?.text) || textOf(message.summary)
  if (title === '' && body === '') return undefined
  const actions = [...cards, ...elements].flatMap(({ actions, selectAction }) => [...listOf(actions), selectAction])
  return {
    ...titled(plainMarkdown(title).slice(0, MOST_TITLE_CHARS), plainMarkdown(body)),
    level: entryOf(LEVELS, color ?? '') ?? 'active',
    severity: color,
    url: actions.map((action) => textOf(membersOf(action).url)).find(Boolean),
    image: elements.filter(({ type }) => type === 'Image').map(({ url }) => textOf(url))[0],
  }
}

// In their order, each container before what it contains. The depth of a document has a limit.
function elementsIn(list: unknown): Members[] {
  return listOf(list)
    .slice(0, MOST_PARTS)
    .map(membersOf)
    .flatMap((element) => {
      const { items, columns, rows, cells, images } = element
      return [element, ...[items, columns, rows, cells, images].flatMap(elementsIn)]
    })
}

const isHeading = ({ type, style, weight, size, text }: Members): boolean =>
  type === 'TextBlock' &&
  textOf(text) !== '' &&
  [style, weight, size].some((word) => /^(?:heading|bolder|large|extraLarge)$/i.test(textOf(word)))

function elementText({ type, text, facts, inlines }: Members): string {
  if (type === 'TextBlock') return textOf(text)
  if (type === 'RichTextBlock')
    return listOf(inlines)
      .map((one) => textOf(membersOf(one).text) || textOf(one))
      .join(' ')
  return type === 'FactSet' ? factLines(facts) : ''
}

// Called title in adaptive cards, and name in message cards.
const factLines = (facts: unknown): string =>
  lines(
    ...listOf(facts)
      .slice(0, MOST_PARTS)
      .map(membersOf)
      .map(({ title, name, value }) => `${(textOf(title) || textOf(name)).replace(/:$/, '')}: ${textOf(value)}`),
  )

function fromMessageCard(card: Members): HookReport {
  const sections = listOf(card.sections).slice(0, MOST_PARTS).map(membersOf)
  const title = textOf(card.title) || textOf(sections[0]?.activityTitle) || textOf(card.summary)
  const body = lines(textOf(card.text), ...sections.map((section) => sectionText(section, title)))
  if (title === '' && body === '') return undefined
  const color = textOf(card.themeColor)
  const actions = [card, ...sections].flatMap(({ potentialAction }) => listOf(potentialAction)).map(membersOf)
  const targets = actions.flatMap(({ targets }) => listOf(targets)).map(membersOf)
  return {
    ...titled(plainMarkdown(title).slice(0, MOST_TITLE_CHARS), plainMarkdown(body)),
    level: levelOfColor(color) ?? 'active',
    severity: color || undefined,
    url: targets.map(({ uri }) => textOf(uri)).find(Boolean),
  }
}

// Without what is the title of the notification.
function sectionText(section: Members, without: string): string {
  const { title, activityTitle, activitySubtitle, activityText, text, facts } = section
  const texts = [title, activityTitle, activitySubtitle, activityText, text].map(textOf)
  return lines(...texts.filter((one) => one !== without), factLines(facts))
}
