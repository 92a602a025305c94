// The choice of the console's language. Each language has its own name for itself, so that people find theirs.
import { LANGUAGES, type Language, language } from '../language.ts'
import { chooseLanguage } from '../load-language.ts'
import { TEXTS } from '../texts/base.ts'
import { Segments } from '../ui/field.tsx'

const OPTIONS = Object.entries(LANGUAGES) as [Language, string][]

export function LanguageChoice() {
  return <Segments label={TEXTS.settings.language} value={language} options={OPTIONS} onChange={chooseLanguage} />
}
