// Form that changes the settings of a webhook.
import type { HookView } from '../../../src/contract/hooks.ts'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import { api } from '../api/client.ts'
import { EscalationField } from '../messages/repetition-fields.tsx'
import { StormField, stormError } from '../on-call/storm.tsx'
import { useKeptDraft } from '../state/kept-draft.ts'
import { TEXTS } from '../texts/base.ts'
import { HOOK_TOOLS } from '../texts/hook-tools.ts'
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { ResourceForm } from '../ui/form.tsx'
import { BY_SEVERITY, draftOf, levelInWords, type SettingsDraft, toPatch } from './options.ts'
import { useHookPaths } from './paths.ts'
import { SecretField } from './secret-field.tsx'
import { hasEvents, OFFERED_KINDS, toolName } from './tools.ts'

type SettingsFormProps = { hook: HookView; keys: KeyView[]; onClose: () => void }
type Change = (part: Partial<SettingsDraft>) => void

const words = HOOK_TEXTS.options

export function SettingsForm({ hook, keys, onClose }: SettingsFormProps) {
  const { pathOf } = useHookPaths()
  const kept = useKeptDraft(pathOf(hook.id), () => draftOf(hook), 'newSecret')
  const { draft, change } = kept
  const save = async () => {
    await api.patch(pathOf(hook.id), toPatch(draft, hook))
    kept.forget()
    onClose()
  }
  return (
    <Dialog title={words.editTitle(hook.name)} onClose={onClose} isWide>
      <ResourceForm
        save={save}
        submit={TEXTS.save}
        isComplete={draft.name.trim() !== '' && stormError(draft.storm) === undefined}
        kept={kept}
        cancel={onClose}
      >
        <TextField
          label={HOOK_TEXTS.name}
          hint={HOOK_TEXTS.nameHint}
          value={draft.name}
          onInput={(name) => change({ name })}
          maxLength={64}
          required
          autoFocus
        />
        <div class="form-pair">
          <SelectField
            label={words.tool}
            value={draft.kind}
            options={kindsFor(hook).map((kind) => [kind, toolName(kind)] as const)}
            onChange={(kind) => change({ kind })}
          />
          <SelectField
            label={words.key}
            value={draft.keyId}
            options={keys.map(({ id, name }) => [id, name] as const)}
            onChange={(keyId) => change({ keyId })}
          />
        </div>
        <AlertFields {...{ hook, draft, change }} />
        <StormField text={draft.storm} onInput={(storm) => change({ storm })} />
        {hasEvents(draft.kind) && <EventFields {...{ draft, change }} />}
        <SecretFields {...{ hook, draft, change }} />
      </ResourceForm>
    </Dialog>
  )
}

// The kind template needs a template, so only the template editor sets it.
const kindsFor = ({ kind }: HookView) => [
  ...OFFERED_KINDS.filter((one) => one !== 'template' || kind === 'template'),
  ...(OFFERED_KINDS.includes(kind) ? [] : [kind]),
]

type FieldsProps = { hook: HookView; draft: SettingsDraft; change: Change }

function AlertFields({ hook, draft, change }: FieldsProps) {
  const { escalations } = useHookPaths()
  const { level } = hook.options
  const levels = Object.entries(TEXTS.levels)
  return (
    <>
      <div class="form-pair">
        <SelectField
          label={words.level}
          value={draft.level}
          options={[
            ['', words.levelNone],
            ...levels.map(([value, name]) => [value, words.levelFloor(name)] as const),
            ...(typeof level === 'object' ? [[BY_SEVERITY, levelInWords(level)] as const] : []),
          ]}
          onChange={(value) => change({ level: value })}
        />
        <SelectField
          label={words.acknowledge}
          value={draft.acknowledgeFrom}
          options={[
            ['', words.acknowledgeNone],
            ...levels
              .filter(([value]) => value !== 'passive')
              .map(([value, name]) => [value, words.acknowledgeFrom(name)] as const),
          ]}
          onChange={(acknowledgeFrom) => change({ acknowledgeFrom })}
        />
        {draft.acknowledgeFrom && (
          <EscalationField
            collection={escalations}
            slug={draft.escalation}
            onChange={(escalation) => change({ escalation })}
          />
        )}
      </div>
      <SelectField
        label={words.resolved}
        value={draft.resolved}
        options={Object.entries(words.resolvedWords) as [SettingsDraft['resolved'], string][]}
        onChange={(resolved) => change({ resolved })}
      />
    </>
  )
}

function EventFields({ draft, change }: Omit<FieldsProps, 'hook'>) {
  return (
    <>
      <SelectField
        label={words.as}
        hint={draft.as === 'activity' ? words.asHint : undefined}
        value={draft.as}
        options={Object.entries(words.asWords) as [SettingsDraft['as'], string][]}
        onChange={(as) => change({ as })}
      />
      <TextField
        label={words.events}
        hint={words.eventsHint}
        value={draft.events}
        onInput={(events) => change({ events })}
        isCode
      />
    </>
  )
}

function SecretFields({ hook: { has_secret }, draft, change }: FieldsProps) {
  const { secretHint = '' } = HOOK_TOOLS[draft.kind]
  return (
    <>
      {!draft.isSecretRemoved && (
        <SecretField
          label={has_secret ? words.secretNew : words.secret}
          hint={`${has_secret ? words.secretKept : HOOK_TEXTS.noSecret} ${secretHint}`}
          value={draft.newSecret}
          onInput={(newSecret) => change({ newSecret })}
        />
      )}
      {has_secret && (
        <label class="choice">
          <input
            type="checkbox"
            checked={draft.isSecretRemoved}
            onChange={() => change({ isSecretRemoved: !draft.isSecretRemoved })}
          />
          <span>{words.secretRemove}</span>
        </label>
      )}
    </>
  )
}
