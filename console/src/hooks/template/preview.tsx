// The notification that a request becomes, or why there is none.
import type { HookPreview } from '../../../../src/contract/hooks.ts'
import { HOOK_TEXTS } from '../../texts/hooks.ts'
import { Refusal } from '../../ui/refusal.tsx'
import { MessagePreview } from '../message-preview.tsx'
import type { PreviewState } from './use-preview.ts'

const words = HOOK_TEXTS.template
// Notifications that name no thread are in the thread of their hook.
const THREAD_OF_HOOK = 'hook:'

// `missing`: what the template names and the request does not have.
type TemplatePreviewProps = { state: PreviewState; isEmpty: boolean; missing: string[] }

export function TemplatePreview({ state, isEmpty, missing }: TemplatePreviewProps) {
  const { preview, errors, message } = state
  const isBroken = Object.keys(errors).length > 0
  return (
    <section class="card section template-preview" aria-label={words.preview} aria-live="polite">
      <h2>{words.preview}</h2>
      {!preview && !message && (
        <p class="muted">{isEmpty ? words.nothing : isBroken ? words.broken : words.previewing}</p>
      )}
      <Refusal words={message} />
      {missing.length > 0 && <p class="note">{words.missing(missing.join(', '))}</p>}
      {preview && <Shown preview={preview} isBroken={isBroken} />}
    </section>
  )
}

function Shown({ preview: { result, notifications, detail }, isBroken }: { preview: HookPreview; isBroken: boolean }) {
  if (result === 'dropped') {
    return (
      <p class="note">
        {words.drops} {detail}
      </p>
    )
  }
  return (
    <>
      {isBroken && <p class="bad">{words.failed}</p>}
      {notifications.map((notification, index) => (
        <MessagePreview key={index} message={notification}>
          <Identities {...notification} />
        </MessagePreview>
      ))}
    </>
  )
}

function Identities({ thread_id, collapse_id }: HookPreview['notifications'][number]) {
  return (
    <>
      {thread_id && !thread_id.startsWith(THREAD_OF_HOOK) && (
        <p class="muted">
          {words.thread}: {thread_id}
        </p>
      )}
      {collapse_id && <p class="muted">{words.replacesEarlier}</p>}
    </>
  )
}
