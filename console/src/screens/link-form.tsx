// Makes a screen link: for the things that are named, or for those that the person chooses.
import { useState } from 'preact/hooks'
import type { ScreenWithToken } from '../../../src/contract/screens/links.ts'
import { allPages, api } from '../api/client.ts'
import { language } from '../language.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { SCREEN_TEXTS } from '../texts/wall.ts'
import { ChoiceList } from '../ui/choice-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { ResourceForm } from '../ui/form.tsx'
import { NOTHING, type Shown, showsSomething } from './link.ts'

type Props = {
  title: string
  // Otherwise the person chooses.
  shows?: Shown
  onMade: (link: ScreenWithToken) => void
  onClose: () => void
}

export function LinkForm({ title, shows, onMade, onClose }: Props) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Shown>(shows ?? NOTHING)
  const save = async () => {
    const viewer = { lang: language, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
    onMade(await api.post<ScreenWithToken>('/screens', { name: name.trim(), ...chosen, ...viewer }))
  }
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <ResourceForm
        save={save}
        submit={SCREEN_TEXTS.make}
        isComplete={name.trim() !== '' && showsSomething(chosen)}
        cancel={onClose}
      >
        <TextField
          label={SCREEN_TEXTS.name}
          placeholder={SCREEN_TEXTS.namePlaceholder}
          value={name}
          onInput={setName}
          maxLength={64}
          required
          autoFocus
        />
        {!shows && <Choices chosen={chosen} onChange={setChosen} />}
        <p class="muted">{SCREEN_TEXTS.givesAway}</p>
      </ResourceForm>
    </Dialog>
  )
}

type Named = { slug: string; name: string; kind?: string }

async function loadThings() {
  const [widgets, activities] = await Promise.all([
    allPages<Named>('/widgets?limit=100'),
    allPages<Named>('/activities?limit=100'),
  ])
  // A link shows nothing that others share.
  return { widgets, activities: activities.filter(({ kind }) => kind !== 'shared') }
}

// With those that are chosen already, such as prefixes, or what was deleted.
function optionsOf(things: Named[] | undefined, chosen: string[]): [string, string][] {
  if (!things) return []
  const others = chosen.filter((slug) => !things.some((thing) => thing.slug === slug))
  return [
    ...things.map(({ slug, name }): [string, string] => [slug, name]),
    ...others.map((slug): [string, string] => [slug, slug]),
  ]
}

export function Choices({ chosen, onChange }: { chosen: Shown; onChange: (chosen: Shown) => void }) {
  const { value } = useLoaded(loadThings)
  const [initially] = useState(chosen)
  return (
    <>
      <ChoiceList
        label={SCREEN_TEXTS.widgets}
        options={optionsOf(value?.widgets, initially.widgets)}
        chosen={chosen.widgets}
        onChange={(widgets) => onChange({ ...chosen, widgets })}
      />
      <ChoiceList
        label={SCREEN_TEXTS.activities}
        options={optionsOf(value?.activities, initially.activities)}
        chosen={chosen.activities}
        onChange={(activities) => onChange({ ...chosen, activities })}
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={chosen.wall}
          onChange={(event) => onChange({ ...chosen, wall: event.currentTarget.checked })}
        />
        {SCREEN_TEXTS.theWall}
      </label>
    </>
  )
}
