// An icon by the name in the content, in the colour of the surrounding text. It is decoration: a text next to it says the same.
import { useSurroundings } from './surroundings.ts'

export function Glyph({ name }: { name: string }) {
  const { IconDrawing } = useSurroundings()
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
      <IconDrawing name={name} />
    </svg>
  )
}
