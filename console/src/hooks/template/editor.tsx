// The template of a webhook beside a real request, with a preview of the notification that the request becomes.
import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { HookRequestView, HookTemplate, HookView } from '../../../../src/contract/hooks.ts'
import { api } from '../../api/client.ts'
import { attempt } from '../../state/toasts.ts'
import { TEXTS } from '../../texts/base.ts'
import { HOOK_TEXTS } from '../../texts/hooks.ts'
import { CodeArea } from '../../ui/field.tsx'
import { ResourceForm } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { useHookPaths } from '../paths.ts'
import { toolName } from '../tools.ts'
import { FIRST_TEMPLATE, type FieldErrors, TEMPLATE_FIELDS, withoutEmptyFields } from './fields.ts'
import { missingPaths, pathsOf } from './paths.ts'
import { TemplatePreview } from './preview.tsx'
import { documentOf, EXAMPLE, EXAMPLE_BODY, RequestChoice, requestOf } from './request-choice.tsx'
import { usePreview } from './use-preview.ts'

const words = HOOK_TEXTS.template

export function TemplateEditor({ hook, requests }: { hook: HookView; requests: HookRequestView[] }) {
  const { id, name, kind } = hook
  const { pageOf, pathOf } = useHookPaths()
  const { route } = useLocation()
  const [draft, setDraft] = useState<HookTemplate>(hook.template ?? FIRST_TEMPLATE)
  const [chosen, setChosen] = useState(() => String(requests[0]?.number ?? EXAMPLE))
  const [example, setExample] = useState(EXAMPLE_BODY)
  const template = withoutEmptyFields(draft)
  const shown = usePreview(pathOf(id), template, requestOf(chosen, example))
  const document = documentOf(requests, chosen, example)
  const fields = useRef<HTMLDivElement>(null)
  const focused = useRef<HTMLTextAreaElement>(null)
  const save = async () => {
    const patch = () => api.patch(pathOf(id), { kind: 'template', template })
    if (await attempt(patch, words.saved)) route(pageOf(id))
  }
  return (
    <Page title={words.title(name)} intro={words.intro} isWide>
      {kind !== 'template' && <p class="note">{words.replaces(toolName(kind))}</p>}
      <div class="template-editor">
        <ResourceForm
          class="form builder-form"
          save={save}
          submit={TEXTS.save}
          isComplete={template !== undefined && shown.preview !== undefined}
          cancel={pageOf(id)}
        >
          <div
            ref={fields}
            class="form"
            onFocusCapture={({ target }) => {
              if (target instanceof HTMLTextAreaElement) focused.current = target
            }}
          >
            <TemplateFields draft={draft} errors={shown.errors} onChange={setDraft} />
          </div>
        </ResourceForm>
        <div class="template-side">
          <TemplatePreview
            state={shown}
            isEmpty={!template}
            missing={template && document ? missingPaths(template, document) : []}
          />
          <RequestChoice {...{ requests, chosen, example }} onChoose={setChosen} onExample={setExample} />
          {document && (
            <MembersOfBody
              document={document}
              onInsert={(path) => insert(focused.current ?? fields.current?.querySelector('textarea'), path)}
            />
          )}
        </div>
      </div>
    </Page>
  )
}

// At the cursor, as if it were typed.
function insert(area: HTMLTextAreaElement | null | undefined, path: string): void {
  if (!area) return
  area.setRangeText(`{{ ${path} }}`, area.selectionStart, area.selectionEnd, 'end')
  area.dispatchEvent(new Event('input', { bubbles: true }))
  area.focus()
}

type MembersProps = { document: object; onInsert: (path: string) => void }

function MembersOfBody({ document, onInsert }: MembersProps) {
  return (
    <section class="card section" aria-label={words.members}>
      <p class="muted">{words.membersHint}</p>
      <div class="filters">
        {pathsOf(document).map((path) => (
          <button key={path} type="button" class="chip template-member" onClick={() => onInsert(path)}>
            {path}
          </button>
        ))}
      </div>
    </section>
  )
}

type TemplateFieldsProps = { draft: HookTemplate; errors: FieldErrors; onChange: (draft: HookTemplate) => void }

function TemplateFields({ draft, errors, onChange }: TemplateFieldsProps) {
  return (
    <>
      <p class="muted">{words.emptyField}</p>
      {TEMPLATE_FIELDS.map((field) => {
        const { name, hint, placeholder } = words.fields[field]
        return (
          <CodeArea
            key={field}
            label={name}
            hint={hint}
            placeholder={placeholder}
            error={errors[field]}
            rows={field === 'body' ? 5 : 2}
            value={draft[field] ?? ''}
            onInput={(text) => onChange({ ...draft, [field]: text })}
          />
        )
      })}
    </>
  )
}
