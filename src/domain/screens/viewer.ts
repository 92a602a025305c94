// For whom a card is drawn or written: the present time, the language and the time zone. The console draws it anew each second;
// pictures and texts of the server stand still, so they show no seconds.
import { WORDS, type Words } from './words.ts'

export type ViewerLanguage = keyof typeof WORDS

export type Viewer = {
  // In milliseconds since 1970.
  now: number
  showsSeconds: boolean
  language: ViewerLanguage
  words: Words
  // Of dates; undefined is the browser's own.
  locale: string | undefined
  timeZone: string | undefined
  // Follows a time of day, for people who do not know which zone it is in.
  zoneMark: string
}

export const liveViewer = (language: ViewerLanguage, locale: string | undefined, now: number): Viewer => ({
  now,
  showsSeconds: true,
  language,
  words: WORDS[language],
  locale,
  timeZone: undefined,
  zoneMark: '',
})

// English dates are British, because 14:05 is shorter than 2:05 PM.
const LOCALES: Record<ViewerLanguage, string> = { en: 'en-GB', de: 'de' }

// `tag`: of any language; those that we do not have are written in English.
export function stillViewer(tag: string, timeZone: string | undefined, now: number): Viewer {
  const language = tag.toLowerCase().split('-')[0] === 'de' ? 'de' : 'en'
  return {
    now,
    showsSeconds: false,
    language,
    words: WORDS[language],
    locale: LOCALES[language],
    timeZone: timeZone ?? 'UTC',
    zoneMark: timeZone ? '' : ' UTC',
  }
}
