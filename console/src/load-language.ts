// Loads the language of this browser: the texts that every page needs. They are a chunk of their own, so that English costs no request.
import { type Language, preferred, setLanguage } from './language.ts'

const CHOSEN = 'language'

export async function loadLanguage(): Promise<void> {
  const [name, dates] = preferred(localStorage.getItem(CHOSEN), navigator.languages)
  const texts = name === 'de' ? (await import('./german.ts')).GERMAN : undefined
  setLanguage(name, dates, texts)
  document.documentElement.lang = name
}

export function chooseLanguage(name: Language): void {
  localStorage.setItem(CHOSEN, name)
  location.reload()
}
