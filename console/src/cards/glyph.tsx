// An icon by the name in the content, drawn by the server and shown in the colour of the surrounding text. It is
// decoration: a text next to it says the same.
import { useLayoutEffect } from 'preact/hooks'
import { drawingId, wantDrawing } from './drawings.ts'

export function Glyph({ name }: { name: string }) {
  useLayoutEffect(() => wantDrawing(name), [name])
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
      <use href={`#${drawingId(name)}`} />
    </svg>
  )
}
