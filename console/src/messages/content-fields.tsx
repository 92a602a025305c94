// Fields for what a message says: title, text, level, link and picture.
import { type Check, errorAt } from '../builder/use-check.ts'
import { TEXTS } from '../texts/base.ts'
import { MESSAGE_TEXTS } from '../texts/messages.ts'
import { SelectField, TextArea, TextField } from '../ui/field.tsx'
import type { MessageDraft } from './draft.ts'

const LEVELS = Object.entries(TEXTS.levels) as [MessageDraft['level'], string][]

type ContentFieldsProps = { draft: MessageDraft; check: Check; onChange: (part: Partial<MessageDraft>) => void }

export function ContentFields({ draft, check, onChange }: ContentFieldsProps) {
  return (
    <>
      <TextField
        label={MESSAGE_TEXTS.title}
        value={draft.title}
        error={errorAt(check, 'title')}
        onInput={(title) => onChange({ title })}
        maxLength={256}
        required
        autoFocus
      />
      <TextArea
        label={MESSAGE_TEXTS.body}
        value={draft.body}
        error={errorAt(check, 'body')}
        onInput={(body) => onChange({ body })}
        rows={4}
        maxLength={4096}
        required
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={draft.isMarkdown}
          onChange={(event) => onChange({ isMarkdown: event.currentTarget.checked })}
        />
        {MESSAGE_TEXTS.markdown}
      </label>
      <SelectField
        label={MESSAGE_TEXTS.level}
        hint={MESSAGE_TEXTS.levelHints[draft.level]}
        value={draft.level}
        options={LEVELS}
        onChange={(level) => onChange({ level })}
      />
      <div class="form-pair">
        <TextField
          label={MESSAGE_TEXTS.url}
          hint={MESSAGE_TEXTS.urlHint}
          type="url"
          value={draft.url}
          error={errorAt(check, 'url')}
          onInput={(url) => onChange({ url })}
          maxLength={2048}
        />
        <TextField
          label={MESSAGE_TEXTS.picture}
          hint={MESSAGE_TEXTS.pictureHint}
          type="url"
          value={draft.pictureUrl}
          error={errorAt(check, 'media')}
          onInput={(pictureUrl) => onChange({ pictureUrl })}
          maxLength={2048}
        />
      </div>
    </>
  )
}
