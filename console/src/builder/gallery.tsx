// Gallery of examples, one per template.
import type { ComponentChildren } from 'preact'
import { CARD_TEXTS } from '../texts-cards.ts'
import { Page } from '../ui/page.tsx'

type Entry<Template extends string> = { template: Template; name: string; picture: ComponentChildren }
type GalleryProps<Template extends string> = {
  title: string
  entries: Entry<Template>[]
  onChoose: (template: Template) => void
}

export function Gallery<Template extends string>({ title, entries, onChoose }: GalleryProps<Template>) {
  return (
    <Page title={title} intro={CARD_TEXTS.builder.choose} isWide>
      <ul class="gallery">
        {entries.map(({ template, name, picture }) => (
          <li key={template} class="gallery-item">
            <div class="gallery-picture" inert>
              {picture}
            </div>
            <button type="button" class="gallery-button" onClick={() => onChoose(template)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </Page>
  )
}
