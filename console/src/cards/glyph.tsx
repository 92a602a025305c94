// An icon by the name that the sender gave it, drawn by the server, in the colour of the text around it. Decoration: what
// it means is said in words.

// What the server takes for a name; anything else gets its neutral drawing.
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/

export function Glyph({ name }: { name: string }) {
  const file = NAME.test(name) ? encodeURIComponent(name) : 'unknown'
  return <span class="glyph" style={{ '--glyph': `url("/icons/${file}.svg")` }} aria-hidden="true" />
}
