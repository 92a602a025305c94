// Waits for the first request with a new key, and shows what it brought.
import { useEffect } from 'preact/hooks'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import type { NotificationList, NotificationView } from '../../../src/contract/notifications/notification.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { FIRST_RUN_TEXTS } from '../texts/first-run.ts'
import { Icon } from '../ui/icon.tsx'

const { firstUse: words } = FIRST_RUN_TEXTS

// Not every request brings a notification, of which an event tells: an agent lists its tools first.
const LOOK_MS = 3000

type Use = { isUsed: boolean; notification?: NotificationView | undefined }

async function loadUse(keyId: string): Promise<Use> {
  const keys = await api.get<KeyView[]>('/integrations/keys')
  if (!keys.find(({ id }) => id === keyId)?.last_used_at) return { isUsed: false }
  const { items } = await api.get<NotificationList>('/notifications?limit=20')
  return { isUsed: true, notification: items.findLast(({ key_id }) => key_id === keyId) }
}

export function FirstUse({ keyId, onUsed }: { keyId: string; onUsed: () => Promise<void> }) {
  const { value } = useLoaded(() => loadUse(keyId), { on: 'notification.', everyMs: LOOK_MS, key: keyId })
  const isUsed = value?.isUsed ?? false
  useEffect(() => {
    if (isUsed) void onUsed()
  }, [isUsed])
  return (
    <div class="card section first-use" role="status">
      {isUsed ? (
        <>
          <h4>
            <Icon name="check" size={18} /> {words.arrived}
          </h4>
          {value?.notification && (
            <p>
              <a href={`/app/n/${value.notification.id}`}>{value.notification.title}</a>
              <br />
              <span class="muted">{value.notification.body}</span>
            </p>
          )}
        </>
      ) : (
        <div class="hook-waiting">
          <span class="dot dot-live" />
          <p>
            <strong>{words.waiting}</strong>
            <br />
            <span class="muted">{words.hint}</span>
          </p>
        </div>
      )}
    </div>
  )
}
