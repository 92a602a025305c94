// On a phone the list takes the place of the checklist: one line says how much of it is done, and leads back to it.
import { FIRST_RUN_TEXTS } from '../texts/first-run.ts'
import { Icon } from '../ui/icon.tsx'
import { FIRST_RUN, progress } from './visibility.ts'

export function FirstRunChip() {
  if (!progress.value) return null
  const { done, all } = progress.value
  return (
    <a class="button button-plain" href={FIRST_RUN}>
      <span>
        {FIRST_RUN_TEXTS.title}: {FIRST_RUN_TEXTS.progress(done, all)}
      </span>
      <Icon name="next" size={18} />
    </a>
  )
}
