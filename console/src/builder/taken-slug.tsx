// Warns that a new card would replace one with the same slug, and suggests a free slug.
import { allPages } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

// Names by slug.
type TakenNames = Record<string, string>

type Listed = { slug: string; name: string; kind?: string }

export function useTakenNames(collection: string): TakenNames {
  const load = () => allPages<Listed>(`${collection}?limit=100`, 'after')
  const { value = [] } = useLoaded(load, { on: ['widget.', 'activity.'], key: collection })
  // Activities that others share have slugs of their own.
  return Object.fromEntries(value.filter(({ kind }) => kind !== 'shared').map(({ slug, name }) => [slug, name]))
}

export function freeSlug(slug: string, taken: TakenNames): string {
  let number = 2
  while (`${slug}-${number}` in taken) number += 1
  return `${slug}-${number}`
}

type ReplaceWarningProps = { name: string; free: string; onChoose: (slug: string) => void }

export function ReplaceWarning({ name, free, onChoose }: ReplaceWarningProps) {
  const { replaces, useInstead } = CARD_TEXTS.builder
  return (
    <div class="note note-bad" role="alert">
      <Icon name="alert" size={18} />
      <span>{replaces(name)}</span>
      <Button size="small" onClick={() => onChoose(free)}>
        {useInstead(free)}
      </Button>
    </div>
  )
}
