// Texts of the form for messages.
import { inLanguage } from '../language.ts'
import { MESSAGES } from './german/messages.ts'

export const ENGLISH = {
  intro: 'To your own devices and your inbox.',
  // The sender of what a person sends to themselves.
  source: 'Console',
  title: 'Title',
  body: 'Text',
  emptyTitle: 'Title',
  emptyBody: 'Text',
  markdown: 'Format the text with Markdown',
  level: 'Level',
  levelHints: {
    passive: 'Listed silently, without a sound or a lit screen.',
    active: 'A banner and a sound, as usual.',
    'time-sensitive': 'Also shown during a focus of the phone.',
    critical: 'Sounds even if the phone is silent.',
  },
  url: 'Link',
  urlHint: 'Opens when the message is tapped.',
  picture: 'Picture',
  pictureHint: 'The https address of an image.',
  push: 'Push it to my devices, not only to the inbox',
  buttons: {
    legend: 'Buttons',
    add: 'Add a button',
    title: (number: number) => `Button ${number}`,
    url: (number: number) => `Address of button ${number}`,
    urlHint: 'Empty: the answer is recorded here.',
    asksText: 'Asks for a line of text',
    isDestructive: 'Destructive',
    remove: (number: number) => `Remove button ${number}`,
  },
  repetition: {
    repeats: 'Repeat until someone acknowledges it',
    every: 'Every',
    everyChoices: {
      30: '30 seconds',
      60: 'minute',
      120: '2 minutes',
      300: '5 minutes',
      900: '15 minutes',
    } as Record<string, string>,
    atMost: 'For at most',
    atMostChoices: { 600: '10 minutes', 1800: '30 minutes', 3600: '1 hour', 10800: '3 hours' } as Record<
      string,
      string
    >,
  },
  preview: {
    label: 'Preview',
    banner: 'On a phone',
    noBanner: 'No banner: it is stored in the inbox only.',
    row: 'In the inbox',
    text: 'Opened',
  },
  incomplete: 'Title and text are needed.',
  incompletePlan: 'Title, text and time are needed.',
  submit: { now: 'Send', once: 'Schedule', repeat: 'Schedule' },
  done: { now: 'Sent.', once: 'The schedule was created.', repeat: 'The schedule was created.' },
  curl: 'The same from a program',
  curlHint: 'With a key of yours in HELIOGRAPH_KEY.',
  curlHintOrganization: 'With a key of the organization in HELIOGRAPH_KEY.',
}

export const MESSAGE_TEXTS = inLanguage({ en: ENGLISH, de: MESSAGES })
