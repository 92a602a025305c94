// The fields for title and text of a notification.
import { TEXTS } from '../texts.ts'
import { TextField } from '../ui/field.tsx'

const { schedules: words } = TEXTS

export type MessageDraft = { title: string; body: string }

type MessageFieldsProps = { draft: MessageDraft; onChange: (part: Partial<MessageDraft>) => void }

export function MessageFields({ draft, onChange }: MessageFieldsProps) {
  return (
    <>
      <TextField
        label={words.title}
        value={draft.title}
        onInput={(title) => onChange({ title })}
        maxLength={256}
        required
        autoFocus
      />
      <TextField
        label={words.body}
        value={draft.body}
        onInput={(body) => onChange({ body })}
        maxLength={4096}
        required
      />
    </>
  )
}

export const hasMessage = ({ title, body }: MessageDraft): boolean => title.trim() !== '' && body.trim() !== ''

export const toMessage = ({ title, body }: MessageDraft): MessageDraft => ({ title: title.trim(), body: body.trim() })
