// A glance in the form that a status bar or another program reads. Most of them interpret what they read, and the text comes
// from whoever may write the widget, so each form is made harmless in its own way.

import type { TextForm, TextQuery } from '../../contract/screens/texts.ts'
import { validationProblem } from '../../contract/validation.ts'
import { cutText } from '../text.ts'
import type { ScreenGlance } from './glance.ts'
import type { Viewer } from './viewer.ts'

export type TextOptions = {
  form: TextForm
  maxChars: number | undefined
  // Pango's entities in i3blocks; tmux's colour.
  hasMarkup: boolean
  hasStyle: boolean
  // The page of the widget or activity in the console.
  page: string
  words: Viewer['words']
}

export function textOf(glance: ScreenGlance, options: TextOptions): string {
  const line = cutText(lineOf(glance), options.maxChars ?? Number.POSITIVE_INFINITY)
  return `${WRITERS[options.form](glance, line, options)}\n`
}

// "Boiler 63°C".
export const lineOf = ({ label, text }: ScreenGlance): string => clean(`${label} ${text}`)

// One line without controls, escape sequences and characters that change the direction of the text.
export const clean = (text: string): string =>
  text
    .replace(/\p{Zs}|[\t\n\v\f\r\u0085\u2028\u2029]/gu, ' ')
    .replace(/[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim()

type Write = (glance: ScreenGlance, line: string, options: TextOptions) => string

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const withEntities = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string)

// Breaks a sequence of characters that would be read as a command.
const JOINER = '\u200b'

const plain: Write = (_glance, line) => line
const rgb = ({ color }: ScreenGlance): string => color.slice(0, 7)

const WRITERS: Record<TextForm, Write> = {
  plain,
  starship: plain,
  conky: plain,
  polybar: (_glance, line) => line.replaceAll('%{', `%${JOINER}{`),
  tmux(glance, line, { hasStyle }) {
    const text = line.replaceAll('#', '##')
    return hasStyle ? `#[fg=${rgb(glance)}]${text}#[default]` : text
  },
  i3blocks(glance, line, { hasMarkup }) {
    const write = hasMarkup ? withEntities : (text: string) => text
    return [write(line), write(clean(glance.text)), rgb(glance)].join('\n')
  },
  'i3blocks-json': (glance, line, { hasMarkup }) => {
    const write = hasMarkup ? withEntities : (text: string) => text
    const block = { full_text: write(line), short_text: write(clean(glance.text)), color: rgb(glance) }
    return JSON.stringify(hasMarkup ? { ...block, markup: 'pango' } : block)
  },
  waybar(glance, line) {
    const { name, text, detail, template, severity, state, fraction } = glance
    const lines = [name, text, detail ?? ''].map(clean).filter(Boolean)
    return JSON.stringify({
      text: withEntities(line),
      alt: template,
      tooltip: lines.map(withEntities).join('\r'),
      class: [severity, template, state, glance.isStale && 'stale'].filter(Boolean),
      ...(fraction !== undefined && { percentage: Math.round(fraction * 100) }),
    })
  },
  swiftbar: menu((glance) => {
    const symbol = /^[a-z0-9.]+$/i.test(glance.icon ?? '') ? ` sfimage=${glance.icon}` : ''
    return { head: `color=${rgb(glance)}${symbol}`, rows: 'symbolize=false emojize=false ansi=false' }
  }),
  xbar: menu((glance) => ({ head: `color=${rgb(glance)}`, rows: 'emojize=false ansi=false' })),
  argos: menu((glance) => ({
    head: `color=${rgb(glance)}`,
    rows: 'useMarkup=false unescape=false emojize=false ansi=false',
  })),
}

// The menus of SwiftBar, xbar and Argos: the line of the bar, then rows. What follows `|` in a row are its parameters, of which
// some run programs.
function menu(parametersOf: (glance: ScreenGlance) => { head: string; rows: string }): Write {
  return (glance, line, { page, words }) => {
    const { head, rows } = parametersOf(glance)
    const { name, text, detail } = glance
    const details = [name, text, detail ?? ''].map(clean).filter(Boolean)
    return [
      `${row(line)} | ${head} ${rows}`,
      '---',
      ...details.map((words) => `${row(words)} | ${rows}`),
      `${words.open} | href=${page} ${rows}`,
    ].join('\n')
  }
}

const row = (text: string): string => text.replaceAll('|', '¦').replace(/^(?=-|~~~)/, JOINER)

// A parameter that the form does not have is refused rather than ignored.
export function requireEffect({ form = 'plain', markup, style }: TextQuery): void {
  const errors = [
    ...(markup && !form.startsWith('i3blocks')
      ? [{ location: 'query.markup', message: 'has an effect only with form=i3blocks and form=i3blocks-json' }]
      : []),
    ...(style && form !== 'tmux' ? [{ location: 'query.style', message: 'has an effect only with form=tmux' }] : []),
  ]
  if (errors.length > 0) throw validationProblem(errors)
}
