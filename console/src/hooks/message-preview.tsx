// A notification as the inbox will show it, sent or not.
import type { ComponentChildren } from 'preact'
import type { HookPreview } from '../../../src/contract/hooks.ts'
import { LevelTag } from '../inbox/rows/row.tsx'
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Icon } from '../ui/icon.tsx'

type Previewed = HookPreview['notifications'][number]

export function MessagePreview({ message, children }: { message: Previewed; children?: ComponentChildren }) {
  const { title, body, level = 'active', source, source_display_name, url, actions, acknowledge, push } = message
  const sender = source_display_name ?? source ?? ''
  return (
    <article class="hook-message">
      <Avatar name={sender} />
      <div class="hook-message-text">
        <p class="row-top">
          <span class="row-sender">{sender}</span>
          <LevelTag level={level} />
        </p>
        <p class="hook-message-title">{title}</p>
        <p class="hook-message-body">{body}</p>
        {url && (
          <p class="hook-message-link">
            <Icon name="link" size={14} /> {url}
          </p>
        )}
        {actions && actions.length > 0 && (
          <p class="hook-message-actions">
            {actions.map((action) => (
              <span key={action.id} class="tag tag-plain">
                {action.title}
              </span>
            ))}
          </p>
        )}
        {acknowledge && <p class="muted">{HOOK_TEXTS.preview.repeats}</p>}
        {push === false && <p class="muted">{HOOK_TEXTS.preview.notPushed}</p>}
        {children}
      </div>
    </article>
  )
}
