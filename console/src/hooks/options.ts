// The settings of a webhook as texts, and as a draft that the form changes.
import type { HookOptions, HookPatch, HookView } from '../../../src/contract/hooks.ts'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import { stormInWords, stormText, toStorm } from '../on-call/storm.tsx'
import { TEXTS } from '../texts/base.ts'
import { ESCALATION_TEXTS } from '../texts/escalations.ts'
import type { HookKind } from '../texts/hook-tools.ts'
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { QUIET_TEXTS } from '../texts/quiet.ts'
import { hasEvents, toolName } from './tools.ts'

const words = HOOK_TEXTS.options

export function optionsInWords(hook: HookView, keys: KeyView[]): [string, string][] {
  const { kind, options, has_secret, key_id, storm } = hook
  const { acknowledge_from, escalation, resolved = 'notify', as = 'notification', events = [] } = options
  return [
    [words.tool, toolName(kind)],
    [words.key, keys.find(({ id }) => id === key_id)?.name ?? key_id],
    [words.level, levelInWords(options.level)],
    [
      words.acknowledge,
      acknowledge_from ? words.acknowledgeFrom(TEXTS.levels[acknowledge_from]) : words.acknowledgeNone,
    ],
    ...(escalation ? [[ESCALATION_TEXTS.field, escalation] as [string, string]] : []),
    [words.resolved, words.resolvedWords[resolved]],
    ...(hasEvents(kind)
      ? ([
          [words.as, words.asWords[as]],
          [words.events, events.join(', ') || words.eventsAll],
        ] as [string, string][])
      : []),
    [QUIET_TEXTS.storm.label, stormInWords(storm) ?? QUIET_TEXTS.storm.none],
    [words.secret, has_secret ? words.secretSet : words.secretNone],
  ]
}

export function levelInWords(level: HookOptions['level']): string {
  if (level === undefined) return words.levelNone
  if (typeof level === 'string') return words.levelFloor(TEXTS.levels[level])
  const rules = Object.entries(level).map(([severity, to]) => `${severity} → ${TEXTS.levels[to].toLowerCase()}`)
  return words.levelMap(rules.join(', '))
}

// Levels by severity have no field in the form; they stay until another choice is made.
export const BY_SEVERITY = 'by-severity'

export type SettingsDraft = {
  name: string
  kind: HookKind
  keyId: string
  level: string
  acknowledgeFrom: string
  // The slug of a policy, or empty.
  escalation: string
  resolved: NonNullable<HookOptions['resolved']>
  as: NonNullable<HookOptions['as']>
  events: string
  storm: string
  newSecret: string
  isSecretRemoved: boolean
}

export function draftOf({ name, kind, key_id, options, storm }: HookView): SettingsDraft {
  const { level = '', acknowledge_from = '', escalation = '', resolved = 'notify', as = 'notification' } = options
  return {
    name,
    kind,
    keyId: key_id,
    level: typeof level === 'string' ? level : BY_SEVERITY,
    acknowledgeFrom: acknowledge_from,
    escalation,
    resolved,
    as,
    events: (options.events ?? []).join(', '),
    storm: stormText(storm),
    newSecret: '',
    isSecretRemoved: false,
  }
}

export function toPatch(draft: SettingsDraft, { options: before, key_id }: HookView): HookPatch {
  const { name, kind, keyId, acknowledgeFrom, escalation, resolved, as, newSecret, isSecretRemoved } = draft
  const level = draft.level === BY_SEVERITY ? before.level : draft.level
  const events = draft.events.split(/[\s,]+/).filter(Boolean)
  const options = {
    ...(level && { level }),
    ...(acknowledgeFrom && { acknowledge_from: acknowledgeFrom }),
    ...(acknowledgeFrom && escalation && { escalation }),
    ...(resolved !== 'notify' && { resolved }),
    ...(hasEvents(kind) && as !== 'notification' && { as }),
    ...(hasEvents(kind) && events.length > 0 && { events }),
  } as HookOptions
  const secret = isSecretRemoved ? null : newSecret || undefined
  const storm = toStorm(draft.storm)
  return { name: name.trim(), kind, options, storm, secret, ...(keyId !== key_id && { key_id: keyId }) }
}
