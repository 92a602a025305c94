// Choice of an icon: a search over the names that the server draws.
import { useEffect, useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { Glyph } from '../../cards/glyph.tsx'
import { BUILDER_TEXTS } from '../../texts/builder.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { PickerButton } from './picker-button.tsx'

type IconProps = { label: string; error?: string; value: string; onChange: (name: string) => void }

const { icon: words } = BUILDER_TEXTS

export function IconField({ label, error, value, onChange }: IconProps) {
  const [isOpen, setOpen] = useState(false)
  const choose = (name: string) => {
    onChange(name)
    setOpen(false)
  }
  return (
    <>
      <PickerButton
        {...{ label, error }}
        value={value || BUILDER_TEXTS.none}
        picture={value && <Glyph name={value} />}
        onClick={() => setOpen(true)}
      />
      {isOpen && <IconDialog onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  )
}

type IconDialogProps = { onChoose: (name: string) => void; onClose: () => void }

function IconDialog({ onChoose, onClose }: IconDialogProps) {
  const [search, setSearch] = useState('')
  const names = useIconNames(search)
  const typed = search.trim()
  return (
    <Dialog title={words.title} onClose={onClose} isWide>
      <TextField label={words.search} hint={words.hint} value={search} onInput={setSearch} autoFocus />
      <div class="icon-choices" role="status" aria-busy={names === undefined}>
        {names?.map((name) => (
          <button key={name} type="button" class="icon-choice" onClick={() => onChoose(name)}>
            <Glyph name={name} />
            <span>{name}</span>
          </button>
        ))}
        {names?.length === 0 && <p class="muted">{words.nothing}</p>}
      </div>
      <footer class="dialog-foot">
        {names?.length === 0 && <Button onClick={() => onChoose(typed)}>{words.use(typed)}</Button>}
        <Button onClick={() => onChoose('')}>{words.clear}</Button>
      </footer>
    </Dialog>
  )
}

const DEBOUNCE_MS = 200

function useIconNames(search: string): string[] | undefined {
  const [names, setNames] = useState<string[]>()
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const found = await searchIcons(search)
      if (isCurrent) setNames(found)
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [search])
  return names
}

// Without a list of names the person can still type one.
async function searchIcons(search: string): Promise<string[]> {
  try {
    return (await api.get<{ items: string[] }>(`/icons/names?search=${encodeURIComponent(search.trim())}`)).items
  } catch {
    return []
  }
}
