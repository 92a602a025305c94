// Who sent a notification, as one name: the source that it gives, otherwise the name of its integration key.
import { signal } from '@preact/signals'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import { api } from '../api/client.ts'
import { TEXTS } from '../texts/base.ts'

const keyNames = signal<ReadonlyMap<string, string>>(new Map())
// For these the names have been asked for. A key that was revoked has none.
const asked = new Set<string>()

type Sent = Pick<NotificationView, 'source' | 'source_display_name' | 'key_id' | 'org_name'>

// Undefined for a notification that is shown with the name of its organization alone.
export function senderOf({ source, source_display_name, key_id, org_name }: Sent): string | undefined {
  const given = source_display_name ?? source
  if (given !== undefined || org_name !== undefined) return given
  return key_id === undefined ? TEXTS.inbox.ownAccount : nameOfKey(key_id)
}

// The names are loaded when the first one is needed.
export function nameOfKey(id: string): string {
  const name = keyNames.value.get(id)
  if (name === undefined && !asked.has(id)) {
    asked.add(id)
    void loadKeyNames()
  }
  return name ?? TEXTS.inbox.aKey
}

async function loadKeyNames(): Promise<void> {
  try {
    const keys = await api.get<KeyView[]>('/integrations/keys')
    keyNames.value = new Map(keys.map(({ id, name }) => [id, name]))
  } catch {
    // The inbox is usable without these names.
  }
}
