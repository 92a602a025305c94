// How a message will look: as a banner of a phone, and as a row of the inbox.
import { withoutMarks } from '../../../src/domain/notifications/markdown.ts'
import { RowLink } from '../inbox/rows/row.tsx'
import { TEXTS } from '../texts/base.ts'
import { MESSAGE_TEXTS } from '../texts/messages.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { type MessageDraft, previewOf } from './draft.ts'

const words = MESSAGE_TEXTS.preview

// `inert`, because the buttons and the link of a preview lead nowhere. `sender`: the name of the organization, if one sends.
export function MessagePreview({ draft, sender }: { draft: MessageDraft; sender: string | undefined }) {
  const view = { ...previewOf(draft), org_name: sender }
  const name = sender ?? view.source_display_name ?? view.source ?? TEXTS.name
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it.
    <section class="builder-preview message-preview" aria-label={words.label} tabIndex={0}>
      <h2 class="form-title">{draft.isPushed ? words.banner : words.noBanner}</h2>
      {draft.isPushed && (
        <div class="phone-banner" inert>
          <Avatar name={name} size={40} />
          <div class="phone-banner-text">
            <p class="phone-banner-top">
              {draft.level === 'time-sensitive' || draft.level === 'critical' ? TEXTS.levels[draft.level] : name}
              <span>{TEXTS.time.now}</span>
            </p>
            <p class="phone-banner-title" dir="auto">
              {view.title}
            </p>
            <p class="phone-banner-body" dir="auto">
              {draft.isMarkdown ? withoutMarks(view.body) : view.body}
            </p>
          </div>
          {view.media_url && <img key={view.media_url} class="phone-banner-picture" src={view.media_url} alt="" />}
          {view.actions && view.actions.length > 0 && (
            <ul class="phone-banner-buttons">
              {view.actions.map(({ id, title, destructive }) => (
                <li key={id} class={destructive ? 'bad' : undefined} dir="auto">
                  {title}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <h2 class="form-title">{words.row}</h2>
      <div class="message-row" inert>
        <RowLink notification={view} isSelected={false} />
      </div>
      {draft.isMarkdown && (
        <>
          <h2 class="form-title">{words.text}</h2>
          <div class="message-row message-text" inert>
            <Markdown text={view.body} />
          </div>
        </>
      )}
    </section>
  )
}
