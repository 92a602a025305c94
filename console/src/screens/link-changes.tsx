// Changes a screen link: what it shows, how, and until when. Its address stays.
import { useState } from 'preact/hooks'
import type { ScreenView } from '../../../src/contract/screens/links.ts'
import { api } from '../api/client.ts'
import { ZoneField } from '../schedules/zone-field.tsx'
import { SCREEN_TEXTS } from '../texts/wall.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { ResourceForm } from '../ui/form.tsx'
import { toLocal } from '../ui/local-time.ts'
import { showsSomething } from './link.ts'
import { Choices } from './link-form.tsx'

type Props = { link: ScreenView; onSaved: () => void; onClose: () => void }

export function LinkChanges({ link, onSaved, onClose }: Props) {
  const [draft, setDraft] = useState(() => draftOf(link))
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const isDisplay = link.kind === 'trmnl'
  const save = async () => {
    await api.patch(`/screens/${link.id}`, toPatch(draft, link))
    onSaved()
  }
  return (
    <Dialog title={SCREEN_TEXTS.changeTitle(link.name)} onClose={onClose} isWide>
      <ResourceForm
        save={save}
        submit={SCREEN_TEXTS.save}
        isComplete={draft.name.trim() !== '' && (isDisplay || showsSomething(draft.shown))}
        cancel={onClose}
      >
        <TextField
          label={SCREEN_TEXTS.name}
          value={draft.name}
          onInput={(name) => change({ name })}
          maxLength={64}
          required
          autoFocus
        />
        {!isDisplay && <Choices chosen={draft.shown} onChange={(shown) => change({ shown })} />}
        <SelectField
          label={SCREEN_TEXTS.language}
          value={draft.lang}
          options={LANGUAGES}
          onChange={(lang) => change({ lang })}
        />
        <ZoneField timezone={draft.zone} onChange={(zone) => change({ zone })} />
        {!isDisplay && <OfLink draft={draft} onChange={change} />}
      </ResourceForm>
    </Dialog>
  )
}

function OfLink({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  return (
    <>
      <SelectField
        label={SCREEN_TEXTS.theme}
        value={draft.theme}
        options={[['', SCREEN_TEXTS.usual], ...Object.entries(SCREEN_TEXTS.themes)]}
        onChange={(theme) => onChange({ theme })}
      />
      <TextField
        label={SCREEN_TEXTS.expiresAt}
        hint={SCREEN_TEXTS.expiresHint}
        type="datetime-local"
        value={draft.expiresAt}
        onInput={(expiresAt) => onChange({ expiresAt })}
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={draft.opensTaps}
          onChange={(event) => onChange({ opensTaps: event.currentTarget.checked })}
        />
        {SCREEN_TEXTS.opensTaps}
      </label>
    </>
  )
}

const LANGUAGES: [string, string][] = [
  ['', SCREEN_TEXTS.usual],
  ['en', 'English'],
  ['de', 'Deutsch'],
]

type Draft = ReturnType<typeof draftOf>

const draftOf = ({ name, widgets, activities, wall, ...link }: ScreenView) => ({
  name,
  shown: { widgets, activities, wall },
  theme: (link.theme ?? '') as string,
  lang: link.lang ?? '',
  // Without one, times are in UTC.
  zone: link.time_zone ?? 'UTC',
  opensTaps: link.taps === 'open',
  expiresAt: link.expires_at ? toLocal(link.expires_at) : '',
})

function toPatch({ name, shown, theme, lang, zone, opensTaps, expiresAt }: Draft, link: ScreenView): object {
  const viewer = { name: name.trim(), lang: lang || null, time_zone: zone }
  if (link.kind === 'trmnl') return viewer
  // The end of a link that has ended cannot be set again.
  const isEndKept = expiresAt === draftOf(link).expiresAt
  return {
    ...viewer,
    ...shown,
    theme: theme || null,
    taps: opensTaps ? 'open' : 'none',
    ...(!isEndKept && { expires_at: expiresAt ? new Date(expiresAt).toISOString() : null }),
  }
}
