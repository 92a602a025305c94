// The builder: a form, the content as JSON, a preview, the server's validation, and the equivalent curl command.
import type { ComponentChildren, ComponentType } from 'preact'
import { useErrorBoundary, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts.ts'
import { CARD_TEXTS } from '../texts-cards.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { ContentForm, NumberField } from './content-form.tsx'
import { type ApiRequest, asCurl, type Content, type Draft } from './draft.ts'
import type { ContentField } from './fields.ts'
import { JsonField } from './json-field.tsx'
import { freeSlug, ReplaceWarning, useTakenNames } from './taken-slug.tsx'
import { errorAt, send, useCheck } from './use-check.ts'
import { Verdict } from './verdict.tsx'

export type BuilderKind = {
  // Path of the list page.
  home: string
  // Collection of the API that they are in.
  collection: string
  settings: readonly string[]
  fieldsOf: (content: Content) => ContentField[]
  requestsOf: (draft: Draft) => ApiRequest[]
  Preview: ComponentType<{ draft: Draft }>
}

type BuilderProps = { kind: BuilderKind; title: string; initial: Draft; isNew: boolean; extra?: ExtraField }
// A field that only activities have.
type ExtraField = (draft: Draft, change: (part: Partial<Draft>) => void) => ComponentChildren

const { builder } = CARD_TEXTS

export function Builder({ kind, title, initial, isNew, extra }: BuilderProps) {
  const { route } = useLocation()
  const [draft, setDraft] = useState(initial)
  const [isBroken, setBroken] = useState(false)
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const requests = kind.requestsOf(draft)
  const check = useCheck(requests)
  const fields = kind.fieldsOf(draft.content)
  const taken = useTakenNames(kind.collection)
  const replaced = isNew ? taken[draft.slug] : undefined
  const page = `${kind.home}/${draft.sharedId ?? draft.slug}`
  const save = async () => {
    const work = async () => {
      for (const request of requests) await send(request)
    }
    if (await attempt(work, builder.saved)) route(page)
  }
  return (
    <Page title={title} isWide>
      <div class="builder">
        <Preview kind={kind} draft={draft} />
        <form
          class="form builder-form"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <h2 class="section-title">{builder.settings}</h2>
          <SettingsFields {...{ kind, draft, check, isNew, change }} />
          {replaced !== undefined && (
            <ReplaceWarning name={replaced} free={freeSlug(draft.slug, taken)} onChoose={(slug) => change({ slug })} />
          )}
          {extra?.(draft, change)}
          <h2 class="section-title">{builder.fields}</h2>
          <ContentForm {...{ fields, check }} content={draft.content} onChange={(content) => change({ content })} />
          <JsonField content={draft.content} onChange={(content) => change({ content })} onBroken={setBroken} />
          {!isBroken && <Verdict check={check} places={placesOf(kind, fields)} />}
          <footer class="dialog-foot">
            <a class="button button-plain" href={isNew ? kind.home : page}>
              {TEXTS.cancel}
            </a>
            <Button
              type="submit"
              look={replaced === undefined ? 'primary' : 'danger'}
              disabled={isBroken || check.state !== 'valid'}
            >
              {replaced === undefined ? (isNew ? builder.create : TEXTS.save) : builder.replace}
            </Button>
          </footer>
        </form>
      </div>
      {/* Keys do not reach activities of other accounts. */}
      {!draft.sharedId && (
        <section class="card section">
          <h2>{builder.curl}</h2>
          <p class="muted">{builder.curlHint}</p>
          <div class="curl">
            <Copyable text={asCurl(requests, location.origin)} label="curl" />
          </div>
        </section>
      )}
    </Page>
  )
}

const placesOf = ({ settings }: BuilderKind, fields: ContentField[]): string[] => [
  'slug',
  'name',
  ...settings,
  ...fields.map(({ member }) => `content.${member}`),
]

type SettingsProps = {
  kind: BuilderKind
  draft: Draft
  check: ReturnType<typeof useCheck>
  isNew: boolean
  change: (part: Partial<Draft>) => void
}

function SettingsFields({ kind, draft, check, isNew, change }: SettingsProps) {
  const { slug, name, settings, sharedId } = draft
  return (
    <>
      {isNew && (
        <TextField
          label={builder.slug}
          hint={builder.slugHint}
          value={slug}
          error={errorAt(check, 'slug')}
          onInput={(text) => change({ slug: text })}
          isCode
          required
        />
      )}
      {!sharedId && (
        <TextField
          label={builder.name}
          value={name}
          error={errorAt(check, 'name')}
          onInput={(text) => change({ name: text })}
          required
        />
      )}
      <div class="form-pair builder-fields">
        {kind.settings.map((setting) => (
          <NumberField
            key={setting}
            label={CARD_TEXTS.members[setting] ?? setting}
            value={settings[setting]}
            error={errorAt(check, setting)}
            onChange={(value) => change({ settings: { ...settings, [setting]: value } })}
          />
        ))}
      </div>
    </>
  )
}

// `inert`, because the buttons of a preview would call actions that are not stored yet.
function Preview({ kind, draft }: { kind: BuilderKind; draft: Draft }) {
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
