// The notification that a request becomes, or why there is none.
import type { HookPreview } from '../../../../src/contract/doors/hook.ts'
import { HOOK_TEXTS } from '../../texts-hooks.ts'
import { Refusal } from '../../ui/refusal.tsx'
import { MessagePreview } from '../message-preview.tsx'
import type { PreviewState } from './use-preview.ts'

const words = HOOK_TEXTS.template

export function TemplatePreview({ state, isEmpty }: { state: PreviewState; isEmpty: boolean }) {
  const { preview, errors, message } = state
  const isBroken = Object.keys(errors).length > 0
  return (
    <section class="card section" aria-label={words.preview} aria-live="polite">
      <h2>{words.preview}</h2>
      {isEmpty && <p class="muted">{words.nothing}</p>}
      {!isEmpty && !preview && !message && !isBroken && <p class="muted">{words.previewing}</p>}
      <Refusal words={message} />
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
    <p class="muted">
      {words.thread}: {thread_id}
      {collapse_id && (
        <>
          <br />
          {words.replacesEarlier}
        </>
      )}
    </p>
  )
}
