// An icon by the name in the content, loaded from the server and shown in the colour of the surrounding text. It is
// decoration: a text next to it says the same.

// The names that the server accepts; any other name shows its placeholder icon.
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/

export function Glyph({ name }: { name: string }) {
  const file = NAME.test(name) ? encodeURIComponent(name) : 'unknown'
  return <span class="glyph" style={{ '--glyph': `url("/icons/${file}.svg")` }} aria-hidden="true" />
}
