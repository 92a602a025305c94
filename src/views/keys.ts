// An integration key as clients see it.
import type { AliasView, KeyView } from '../contract/keys/keys.ts'
import type { KeyTarget } from '../contract/organizations/target.ts'
import { stormView } from '../domain/holds/storm.ts'
import type { TargetIds } from '../domain/ids.ts'
import { toRfc3339 } from '../domain/instant.ts'
import type { IntegrationKey, KeyAlias } from '../domain/keys.ts'

export function keyView(key: IntegrationKey): KeyView {
  const { activities, notifications, widgets, emails } = key.permissions
  return {
    id: key.id,
    name: key.name,
    scope: `activity:${activities}`,
    permissions: key.permissions,
    is_default: key.isDefault,
    notifications: notifications !== 'none',
    widgets: widgets === 'write',
    emails: emails === 'send',
    activity_slugs: key.activitySlugs.length > 0 ? key.activitySlugs : undefined,
    widget_slugs: key.widgetSlugs.length > 0 ? key.widgetSlugs : undefined,
    target: key.target ? keyTargetView(key.target) : undefined,
    expires_at: key.expiresAt === null ? undefined : toRfc3339(key.expiresAt),
    storm: stormView(key.stormLimit),
    sound: key.sound ?? undefined,
    last_used_at: key.lastUsedAt === null ? undefined : toRfc3339(key.lastUsedAt),
    created_at: toRfc3339(key.createdAt),
  }
}

export const keyTargetView = ({ groupIds, tagIds, memberIds }: TargetIds): KeyTarget => ({
  group_ids: groupIds ?? [],
  tag_ids: tagIds ?? [],
  member_ids: memberIds ?? undefined,
})

export const aliasView = ({ id, door, createdAt }: KeyAlias): AliasView => ({
  id,
  door,
  created_at: toRfc3339(createdAt),
})
