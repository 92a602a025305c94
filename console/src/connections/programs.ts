// The programs that send to the account, as one list: each is a key, a webhook or a heartbeat.
import type { UsageView } from '../../../src/contract/accounts/usage.ts'
import type { HeartbeatView } from '../../../src/contract/heartbeats.ts'
import type { HookView } from '../../../src/contract/hooks.ts'
import type { KeyView } from '../../../src/contract/keys/keys.ts'

export type Program = {
  kind: 'key' | 'webhook' | 'heartbeat'
  id: string
  name: string
  page: string
  // Undefined: it has never been here.
  lastSeenAt?: string
  // Of the last 30 days; undefined where they are not counted.
  sent?: number
  refused?: number
}

export type Sources = {
  keys: KeyView[]
  hooks: HookView[]
  heartbeats: HeartbeatView[]
  usage: UsageView['keys']
}

// The last one seen first, those that have never been here last. A key that one webhook alone uses is part of that webhook.
export function programsOf({ keys, hooks, heartbeats, usage }: Sources): Program[] {
  const counts = (keyId: string | undefined) => {
    const own = usage.find(({ key_id }) => key_id === keyId)
    return { sent: own?.sent ?? 0, refused: own?.refused.reduce((sum, { count }) => sum + count, 0) ?? 0 }
  }
  const ownKeyOf = (hook: HookView) => {
    const key = keys.find(({ id }) => id === hook.key_id)
    const isShared = key?.is_default || hooks.filter(({ key_id }) => key_id === hook.key_id).length > 1
    return isShared ? undefined : key
  }
  const folded = new Set(hooks.map((hook) => ownKeyOf(hook)?.id))
  const programs: Program[] = [
    ...hooks.map((hook) => ({
      kind: 'webhook' as const,
      id: hook.id,
      name: hook.name,
      page: `/app/webhooks/${hook.id}`,
      lastSeenAt: hook.last_received_at,
      ...(ownKeyOf(hook) && counts(hook.key_id)),
    })),
    ...keys
      .filter(({ id }) => !folded.has(id))
      .map((key) => ({
        kind: 'key' as const,
        id: key.id,
        name: key.name,
        page: `/app/keys/${key.id}`,
        lastSeenAt: key.last_used_at,
        ...counts(key.id),
      })),
    ...heartbeats.map(({ slug, name, last_ping_at }) => ({
      kind: 'heartbeat' as const,
      id: slug,
      name,
      page: `/app/heartbeats/${encodeURIComponent(slug)}`,
      lastSeenAt: last_ping_at,
    })),
  ]
  return programs.sort((a, b) => (b.lastSeenAt ?? '').localeCompare(a.lastSeenAt ?? '') || a.name.localeCompare(b.name))
}
