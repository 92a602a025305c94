// The language of the console: the one chosen in this browser, otherwise the first of the browser's own that we have.
// English is part of the program; a translation is a chunk of its own, loaded before any module that reads a text.

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

// One for each file of texts.
export type TextsName =
  | 'alerts'
  | 'base'
  | 'cards'
  | 'hooks'
  | 'hook-tools'
  | 'joining'
  | 'organizations'
  | 'phones'
  | 'setup'
  | 'shares'

export let language: Language = 'en'
// The locale of dates: the browser's own with its region, unless a language was chosen that the browser does not have.
export let locale: string | undefined
let translation: Partial<Record<TextsName, object>> = {}

// Modules read their texts when they load, so this comes before them.
export async function loadLanguage(): Promise<void> {
  const chosen = localStorage.getItem('language')
  language = [chosen, ...navigator.languages].map(withoutRegion).find(isOurs) ?? 'en'
  locale = navigator.languages.find((tag) => withoutRegion(tag) === language) ?? (chosen ? language : undefined)
  document.documentElement.lang = language
  if (language === 'de') translation = (await import('./german/german.ts')).GERMAN
}

export function chooseLanguage(name: Language): void {
  localStorage.setItem('language', name)
  location.reload()
}

export function translated<Texts extends object>(name: TextsName, english: Texts): Texts {
  return (translation[name] as Texts | undefined) ?? english
}

function withoutRegion(tag: string | null): string | undefined {
  return tag?.split('-')[0]
}

function isOurs(name: string | undefined): name is Language {
  return name !== undefined && Object.hasOwn(LANGUAGES, name)
}
