// Dialog that changes the name and the tags of a device. It suggests the tags that the person's organizations use.
import { useState } from 'preact/hooks'
import type { DeviceView } from '../../../src/contract/devices.ts'
import type { TagView } from '../../../src/contract/organizations/group.ts'
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { ResourceForm } from '../ui/form.tsx'

const { devices: words } = SETUP_TEXTS

type DeviceFormProps = { device: DeviceView; onClose: () => void; onChange: () => Promise<void> }

export function DeviceForm({ device, onClose, onChange }: DeviceFormProps) {
  const [name, setName] = useState(device.name)
  const [tags, setTags] = useState(device.tags.join(', '))
  const save = async () => {
    const path = `/devices/${encodeURIComponent(device.id)}`
    if (!(await attempt(() => api.patch(path, { name: name.trim(), tags: parseTags(tags) })))) return
    await onChange()
    onClose()
  }
  return (
    <Dialog title={words.editTitle(device.name)} onClose={onClose}>
      <ResourceForm save={save} submit={TEXTS.save} isComplete={name.trim() !== ''} cancel={onClose}>
        <TextField label={words.name} value={name} onInput={setName} maxLength={64} required autoFocus />
        <TextField
          label={words.tags}
          hint={words.tagsHint}
          placeholder={words.tagsPlaceholder}
          value={tags}
          onInput={setTags}
        />
        <SuggestedTags chosen={parseTags(tags)} onChoose={(tag) => setTags(withTag(tags, tag))} />
      </ResourceForm>
    </Dialog>
  )
}

type SuggestedTagsProps = { chosen: string[]; onChoose: (tag: string) => void }

function SuggestedTags({ chosen, onChoose }: SuggestedTagsProps) {
  const { value = [] } = useLoaded(loadTagNames)
  const open = value.filter((tag) => !chosen.includes(tag))
  if (open.length === 0) return null
  return (
    <div class="filters">
      <span class="field-hint">{words.suggested}</span>
      {open.map((tag) => (
        <button key={tag} type="button" class="chip" onClick={() => onChoose(tag)}>
          {tag}
        </button>
      ))}
    </div>
  )
}

async function loadTagNames(): Promise<string[]> {
  const organizations = await api.get<{ items: OrganizationView[] }>('/orgs')
  const lists = await Promise.all(
    organizations.items.map(({ id }) => api.get<{ items: TagView[] }>(`/orgs/${id}/tags`)),
  )
  return [...new Set(lists.flatMap(({ items }) => items.map(({ name }) => name)))].sort()
}

// Tags as a text that a person edits. Tags of organizations contain no comma, but may contain spaces.
export const parseTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

export const withTag = (text: string, tag: string): string => [...parseTags(text), tag].join(', ')
