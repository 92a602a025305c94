// Form that creates a key or changes its permissions.
import type { ComponentChildren } from 'preact'
import type { KeyView, KeyWithSecret } from '../../../src/contract/keys/keys.ts'
import type { KeyTargetInput } from '../../../src/contract/organizations/target.ts'
import type { Permissions } from '../../../src/contract/permissions.ts'
import { api } from '../api/client.ts'
import { StormField, stormError, stormText, toStorm } from '../on-call/storm.tsx'
import { useKeptDraft } from '../state/kept-draft.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { ResourceForm } from '../ui/form.tsx'
import { toLocal } from '../ui/local-time.ts'
import { type KeyResource, levelsOf, parseSlugs, slugsInWords } from './levels.ts'

// Undefined: the key reaches the whole organization.
export type TargetField = (
  target: KeyTargetInput | undefined,
  onChange: (target?: KeyTargetInput) => void,
) => ComponentChildren

type KeyFormProps = {
  path: string
  resources: readonly KeyResource[]
  targetField?: TargetField
  apiKey?: KeyView
  onDone: (key: KeyWithSecret) => void
  onClose: () => void
}
type Draft = {
  name: string
  permissions: Permissions
  widgetSlugs: string
  activitySlugs: string
  target?: KeyTargetInput
  storm: string
  expiresAt: string
}

// Default permissions: most keys only send notifications.
const NEW_KEY: Draft = {
  name: '',
  permissions: { notifications: 'send', widgets: 'none', activities: 'none', emails: 'none' },
  widgetSlugs: '',
  activitySlugs: '',
  storm: '',
  expiresAt: '',
}

export function KeyForm({ path, resources, targetField, apiKey, onDone, onClose }: KeyFormProps) {
  const kept = useKeptDraft(`${path}/${apiKey?.id ?? ''}`, () => (apiKey ? draftOf(apiKey) : NEW_KEY))
  const { draft, change } = kept
  const { permissions } = draft
  const save = () =>
    attempt(async () => {
      const body = { ...toBody(draft, apiKey !== undefined), ...(targetField && { target: draft.target ?? null }) }
      const saved: KeyWithSecret = await (apiKey ? api.patch(`${path}/${apiKey.id}`, body) : api.post(path, body))
      kept.forget()
      onDone(saved)
    })
  return (
    <Dialog
      title={apiKey ? SETUP_TEXTS.keys.editTitle(apiKey.name) : SETUP_TEXTS.keys.createTitle}
      onClose={onClose}
      isWide
    >
      <ResourceForm
        save={save}
        submit={apiKey ? TEXTS.save : SETUP_TEXTS.keys.create}
        isComplete={isComplete(draft)}
        kept={kept}
        cancel={onClose}
      >
        <TextField
          label={SETUP_TEXTS.keys.name}
          hint={SETUP_TEXTS.keys.nameHint}
          value={draft.name}
          onInput={(name) => change({ name })}
          maxLength={256}
          required
          autoFocus
        />
        {resources.map((resource) => (
          <SelectField
            key={resource}
            label={SETUP_TEXTS.resources[resource]}
            // A narrow phone cuts the level itself.
            hint={resource === 'notifications' && sendsNotifications(draft) ? SETUP_TEXTS.keys.readsInbox : undefined}
            value={permissions[resource] as string}
            options={levelsOf(resource)}
            onChange={(level) => change({ permissions: { ...permissions, [resource]: level } })}
          />
        ))}
        {permissions.widgets !== 'none' && (
          <SlugsField
            label={SETUP_TEXTS.keys.widgetSlugs}
            value={draft.widgetSlugs}
            onInput={(widgetSlugs) => change({ widgetSlugs })}
          />
        )}
        {permissions.activities !== 'none' && (
          <SlugsField
            label={SETUP_TEXTS.keys.activitySlugs}
            value={draft.activitySlugs}
            onInput={(activitySlugs) => change({ activitySlugs })}
          />
        )}
        {targetField?.(draft.target, (target) => change({ target }))}
        {sendsNotifications(draft) && <StormField text={draft.storm} onInput={(storm) => change({ storm })} />}
        <TextField
          label={SETUP_TEXTS.keys.expiresAt}
          hint={SETUP_TEXTS.keys.expiresHint}
          type="datetime-local"
          value={draft.expiresAt}
          onInput={(expiresAt) => change({ expiresAt })}
        />
      </ResourceForm>
    </Dialog>
  )
}

function SlugsField({ label, value, onInput }: { label: string; value: string; onInput: (value: string) => void }) {
  const slugs = parseSlugs(value)
  const hint = slugs.length === 0 ? SETUP_TEXTS.keys.everySlug : SETUP_TEXTS.keys.onlySlugs(slugsInWords(slugs))
  return <TextField {...{ label, hint, value, onInput }} placeholder={SETUP_TEXTS.keys.slugsPlaceholder} isCode />
}

const sendsNotifications = ({ permissions }: Draft): boolean => permissions.notifications !== 'none'

const isComplete = (draft: Draft): boolean =>
  draft.name.trim() !== '' && !(sendsNotifications(draft) && stormError(draft.storm))

function draftOf(apiKey: KeyView): Draft {
  const { name, permissions, widget_slugs = [], activity_slugs = [], target, storm, expires_at } = apiKey
  return {
    name,
    permissions,
    widgetSlugs: widget_slugs.join(', '),
    activitySlugs: activity_slugs.join(', '),
    target,
    storm: stormText(storm),
    expiresAt: expires_at ? toLocal(expires_at) : '',
  }
}

function toBody(draft: Draft, isChange: boolean): object {
  const expiresAt = draft.expiresAt ? new Date(draft.expiresAt).toISOString() : isChange ? null : undefined
  return {
    name: draft.name.trim(),
    permissions: draft.permissions,
    widget_slugs: parseSlugs(draft.widgetSlugs),
    activity_slugs: parseSlugs(draft.activitySlugs),
    storm: sendsNotifications(draft) ? toStorm(draft.storm) : null,
    expires_at: expiresAt,
  }
}
