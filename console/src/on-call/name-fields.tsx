// Fields for the name and the slug of a heartbeat or a policy. Left empty, the slug is made from the name.
import { TextField } from '../ui/field.tsx'

type Named = { name: string; slug: string }
type NameFieldsProps = {
  words: { name: string; nameHint?: string; slug: string; slugHint: string; slugTaken: string }
  draft: Named
  change: (part: Partial<Named>) => void
  // A slug does not change later.
  isNew: boolean
  // The slug that it would get.
  slug: string
  isTaken: boolean
  maxSlugLength: number
}

export function NameFields({ words, draft, change, isNew, slug, isTaken, maxSlugLength }: NameFieldsProps) {
  return (
    <div class="form-pair">
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={draft.name}
        onInput={(name) => change({ name })}
        maxLength={64}
        required
      />
      {isNew && (
        <TextField
          label={words.slug}
          hint={words.slugHint}
          error={isTaken ? words.slugTaken : undefined}
          value={draft.slug}
          placeholder={slug}
          onInput={(chosen) => change({ slug: chosen })}
          maxLength={maxSlugLength}
          isCode
        />
      )}
    </div>
  )
}
