// A hook: an address at which another program reports what happened, and how its reports become notifications.
import type { HookInput, HookKind, HookOptions, HookPatch, HookTemplate } from '../../contract/hooks.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { KeyId, UserId } from '../caller.ts'
import { stormLimitOf } from '../holds/storm.ts'
import type { Instant } from '../instant.ts'

export type { HookKind, HookOptions, HookTemplate }
export type HookId = string & { readonly of: 'hook' }

export type HookSettings = {
  name: string
  kind: HookKind
  // In clear, because signatures are computed with it.
  secret: string | null
  template: HookTemplate | null
  options: HookOptions
  // The limit of its storm shield, in pushes a minute.
  stormLimit: number | null
}

export type Hook = HookSettings & {
  id: HookId
  userId: UserId
  keyId: KeyId
  createdAt: Instant
  lastReceivedAt: Instant | null
}

export function newSettings({ name, kind, secret, template, options = {}, storm }: HookInput): HookSettings {
  const stormLimit = stormLimitOf(storm, LIMITS.storm.hookDefault)
  return requireTemplateOfKind({ name, kind, secret: secret ?? null, template: template ?? null, options, stormLimit })
}

// A hook that gets another kind loses its template.
export function changedSettings(current: HookSettings, patch: HookPatch): HookSettings {
  const kind = patch.kind ?? current.kind
  const kept = kind === 'template' ? current.template : null
  return requireTemplateOfKind({
    name: patch.name ?? current.name,
    kind,
    secret: patch.secret === undefined ? current.secret : patch.secret,
    template: patch.template === undefined ? kept : patch.template,
    options: patch.options ?? current.options,
    stormLimit: stormLimitOf(patch.storm, current.stormLimit),
  })
}

function requireTemplateOfKind(settings: HookSettings): HookSettings {
  const { kind, template } = settings
  if (kind === 'template' && template === null) {
    throw new Problem('hook.template_invalid', 'A hook of the kind template needs a template.')
  }
  if (kind !== 'template' && template !== null) {
    throw new Problem('hook.template_invalid', `A template needs the kind template; this hook has the kind ${kind}.`)
  }
  return settings
}

// The problem of a request to a hook, with the kind whose senders the answer is for.
export class HookRefusal extends Problem {
  readonly kind: HookKind

  constructor({ problem, detail, members, cause }: Problem, kind: HookKind) {
    super(problem, detail, members, cause)
    this.kind = kind
  }
}
