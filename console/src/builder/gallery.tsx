// Gallery of examples, one per template. Each leads to the form at a path of its own.
import '../styles/builder.css'
import type { ComponentChildren } from 'preact'
import { CARD_TEXTS } from '../texts/cards.ts'
import { Page } from '../ui/page.tsx'

type Entry = { template: string; name: string; picture: ComponentChildren }

// `path`: of the gallery.
export function Gallery({ title, entries, path }: { title: string; entries: Entry[]; path: string }) {
  return (
    <Page title={title} intro={CARD_TEXTS.builder.choose} isWide>
      <ul class="gallery">
        {entries.map(({ template, name, picture }) => (
          <li key={template} class="gallery-item">
            <div class="gallery-picture" inert>
              {picture}
            </div>
            <a class="gallery-button" href={`${path}/${template}`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Page>
  )
}
