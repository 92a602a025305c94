// The draft as devices would show it.
import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { CARD_TEXTS } from '../texts/cards.ts'
import type { Draft } from './draft.ts'
import type { BuilderKind } from './kind.ts'

const { builder } = CARD_TEXTS

// `inert`, because the buttons of a preview would call actions that are not stored yet.
export function Preview({ kind, draft }: { kind: BuilderKind; draft: Draft }) {
  return (
    <section class="builder-preview" aria-label={builder.preview}>
      <div inert>
        <PreviewBoundary key={JSON.stringify(draft.content)}>
          <kind.Preview draft={draft} />
        </PreviewBoundary>
      </div>
    </section>
  )
}

// Error boundary: content that is being edited may have any shape, and drawing it may throw.
function PreviewBoundary({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary()
  return <>{error ? <p class="muted">{builder.notDrawable}</p> : children}</>
}
