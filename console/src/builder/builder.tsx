// The builder: a form, a preview, the server's validation, the content as JSON, and the equivalent curl command.
import type { Content } from './fields/document.ts'
import '../styles/builder.css'
import './fields/fields.css'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useKeptDraft } from '../state/kept-draft.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { BUILDER_TEXTS } from '../texts/builder.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { Restored } from '../ui/restored.tsx'
import { type ApiRequest, asCurl, type Draft } from './draft.ts'
import { ContentForm } from './fields/content-form.tsx'
import { type ContentField, placesOf } from './fields/field.ts'
import { Fold } from './fields/fold.tsx'
import { JsonField } from './json-field.tsx'
import type { BuilderKind } from './kind.ts'
import { Preview } from './preview.tsx'
import { NameFields, SettingsFields } from './settings-fields.tsx'
import { freeSlug, ReplaceWarning, useTakenNames } from './taken-slug.tsx'
import { errorAt, send, useCheck } from './use-check.ts'
import { Verdict } from './verdict.tsx'

type BuilderProps = { kind: BuilderKind; title: string; initial: Draft; isNew: boolean; extra?: ExtraField }
// Fields that only activities have.
export type ExtraField = (draft: Draft, change: (part: Partial<Draft>) => void) => ComponentChildren

const { builder } = CARD_TEXTS

export function Builder({ kind, title, initial, isNew, extra }: BuilderProps) {
  const { path, route } = useLocation()
  const kept = useKeptDraft(path, () => initial)
  const { draft, change, forget } = kept
  const [isBroken, setBroken] = useState(false)
  const requests = kind.requestsOf(draft)
  const check = useCheck(requests)
  const fields = kind.fieldsOf(draft.content)
  const taken = useTakenNames(kind.collection)
  const replaced = isNew ? taken[draft.slug] : undefined
  const page = kind.pageOf(draft)
  const save = async () => {
    const work = async () => {
      for (const request of requests) await send(request)
    }
    if (!(await attempt(work, builder.saved))) return
    forget()
    route(page)
  }
  const setContent = (content: Content) => change({ content })
  return (
    <Page title={title} isWide>
      <Restored kept={kept} />
      <div class="builder">
        <Preview kind={kind} draft={draft} />
        <Form class="form builder-form" onSubmit={save}>
          <NameFields {...{ draft, check, isNew, change }} />
          {replaced !== undefined && (
            <ReplaceWarning name={replaced} free={freeSlug(draft.slug, taken)} onChoose={(slug) => change({ slug })} />
          )}
          {extra?.(draft, change)}
          <h2 class="section-title">{builder.fields}</h2>
          <ContentForm {...{ fields, check }} content={draft.content} onChange={setContent} />
          <Fold
            title={BUILDER_TEXTS.advanced}
            isFaulty={isBroken || kind.settings.some((setting) => errorAt(check, setting))}
          >
            <SettingsFields {...{ kind, draft, check, change }} />
            <JsonField content={draft.content} onChange={setContent} onBroken={setBroken} />
          </Fold>
          {!isBroken && <Verdict check={check} places={placesOfForm(kind, fields)} />}
          <footer class="dialog-foot">
            <ButtonLink href={isNew ? kind.home : page} onClick={forget}>
              {TEXTS.cancel}
            </ButtonLink>
            <Button
              type="submit"
              look={replaced === undefined ? 'primary' : 'danger'}
              disabled={isBroken || check.state !== 'valid'}
            >
              {replaced === undefined ? (isNew ? builder.create : TEXTS.save) : builder.replace}
            </Button>
          </footer>
        </Form>
      </div>
      {/* Keys do not reach activities of other accounts. */}
      {!draft.sharedId && <Curl requests={requests} />}
    </Page>
  )
}

function Curl({ requests }: { requests: ApiRequest[] }) {
  return (
    <section class="card section">
      <h2>{builder.curl}</h2>
      <p class="muted">{builder.curlHint}</p>
      <div class="curl">
        <Copyable text={asCurl(requests, location.origin)} label="curl" />
      </div>
    </section>
  )
}

const placesOfForm = ({ settings }: BuilderKind, fields: ContentField[]): string[] => [
  'slug',
  'name',
  ...settings,
  ...fields.flatMap(placesOf),
]
