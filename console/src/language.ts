// The language of the console, and what is written in it. Of what every page needs, English is part of the program, and a
// translation is loaded before any module that reads a text.

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

// The texts that every page needs: a translation of them is one file, loaded before the first page.
export type TextsName = 'alerts' | 'base' | 'quiet'

type Translation = Record<TextsName, object>

export let language: Language = 'en'
// The locale of dates; undefined is the browser's own.
export let locale: string | undefined
let translation: Translation | undefined

// Modules read their texts when they load, so this comes before them.
export function setLanguage(name: Language, dates: string | undefined, texts: Translation | undefined): void {
  language = name
  locale = dates
  translation = texts
}

export function translated<Texts extends object>(name: TextsName, english: Texts): Texts {
  return (translation?.[name] as Texts | undefined) ?? english
}

// The texts of a page stand in its file in every language: about a kilobyte more, and no further request.
export function inLanguage<Texts extends object>(texts: Record<Language, Texts>): Texts {
  return texts[language]
}

// The language that the person has chosen, otherwise the first of the browser's own that we have. Dates have the region that
// the browser gives this language. Without one of our languages in the browser they stay in the browser's, unlike the words.
export function preferred(chosen: string | null, ofBrowser: readonly string[]): [Language, string | undefined] {
  const name = [chosen, ...ofBrowser].map(withoutRegion).find(isOurs) ?? 'en'
  return [name, ofBrowser.find((tag) => withoutRegion(tag) === name) ?? (chosen ? name : undefined)]
}

function withoutRegion(tag: string | null): string | undefined {
  return tag?.split('-')[0]
}

function isOurs(name: string | undefined): name is Language {
  return name !== undefined && Object.hasOwn(LANGUAGES, name)
}
