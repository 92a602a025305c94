// Loads the language of this browser. A translation is a chunk of its own, so that English costs no request.
import { type Language, preferred, setLanguage } from './language.ts'

const CHOSEN = 'language'

export async function loadLanguage(): Promise<void> {
  const [name, dates] = preferred(localStorage.getItem(CHOSEN), navigator.languages)
  const texts = name === 'de' ? (await import('./texts/german/german.ts')).GERMAN : undefined
  setLanguage(name, dates, texts)
  document.documentElement.lang = name
}

export function chooseLanguage(name: Language): void {
  localStorage.setItem(CHOSEN, name)
  location.reload()
}
