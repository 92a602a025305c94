// The script of a screen link for Scriptable, an app that shows widgets on iPhones and iPads. It asks this server for pictures and
// for nothing else; the phone refreshes it when iOS lets it.
import { VERSION } from '../../runtime/version.ts'
import { SCRIPT } from './scriptable-script.ts'

export type ScriptOf = {
  // The address of the link, and of the console.
  link: string
  pages: string
  // What a widget without a parameter shows.
  first: string
  words: ScriptWords
}

export type ScriptWords = { asOf: string; unreachable: string; revoked: string; nothing: string; choose: string }

export const SCRIPT_WORDS: Record<'en' | 'de', ScriptWords> = {
  en: {
    asOf: 'as of',
    unreachable: 'The server cannot be reached.',
    revoked: 'This link was revoked.',
    nothing: 'Not in this link:',
    choose: 'What to preview',
  },
  de: {
    asOf: 'Stand',
    unreachable: 'Der Server ist nicht erreichbar.',
    revoked: 'Dieser Link wurde widerrufen.',
    nothing: 'Nicht in diesem Link:',
    choose: 'Vorschau',
  },
}

export const scriptOf = ({ link, pages, first, words }: ScriptOf): string =>
  `// Variables used by Scriptable.
// icon-color: deep-blue; icon-glyph: th-large;
// Heliograph ${VERSION}. Shows widgets of ${new URL(link).host}. The parameter of a widget is its name there; a:NAME is an
// activity, and wall the wall. Options follow: theme=dark. Whoever has this script sees what its link shows.
const LINK = ${inScript(link)}
const PAGES = ${inScript(pages)}
const FIRST = ${inScript(first)}
const WORDS = ${inScript(words)}
${SCRIPT}`

const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('\u2028', '').replaceAll('\u2029', '')
