// What an open console shows on every page: alerts that ring, and notifications that have just arrived; with a sound if one is
// critical, and by the system if no tab is visible.
import { computed, signal } from '@preact/signals'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import { api, unlessMissing } from '../api/client.ts'
import { decryptedView } from '../inbox/decryption.ts'
import { byUrgency, find, isRinging, relist, waiting } from '../inbox/inbox.ts'
import { accountStream } from '../state/events.ts'
import { playAlarm } from './sound.ts'
import { showBySystem } from './system-notification.ts'

const arrivals = signal<NotificationView[]>([])
// The ids of ringing alerts that the person has put away; they come back when the alert escalates.
const dismissed = signal<ReadonlySet<number>>(new Set())

// Most urgent first, then newest first. What rings is found among what waits, which is loaded whole, whatever the list shows.
export const banners = computed(() => {
  const ringing = waiting.value.filter((one) => isRinging(one) && !dismissed.value.has(one.id))
  const others = arrivals.value.filter(({ id }) => !ringing.some((one) => one.id === id))
  return [...ringing, ...others].sort(byUrgency)
})

export const staysUntilDismissed = (notification: NotificationView): boolean =>
  notification.level !== 'active' || isRinging(notification)

export function dismissBanner(id: number): void {
  if (waiting.value.some((one) => one.id === id && isRinging(one))) dismissed.value = new Set([...dismissed.value, id])
  arrivals.value = arrivals.value.filter((one) => one.id !== id)
}

function forget(id: number): void {
  arrivals.value = arrivals.value.filter((one) => one.id !== id)
  dismissed.value = new Set([...dismissed.value].filter((one) => one !== id))
}

// After these events the alert still waits for someone.
const STILL_ACTIVE = ['receipt.created', 'receipt.repeated', 'receipt.escalated']

// Returns a function that stops it.
export function followAlerts(openPage: (path: string) => void): () => void {
  const signalise = (notification: NotificationView) => {
    void showBySystem(decryptedView(notification), openPage)
    if (notification.level === 'critical') void playAlarm(notification.id)
  }
  const present = (notification: NotificationView) => {
    // Passive ones, and those sent to the inbox only, make no sign on a phone either.
    if (notification.level === 'passive' || !notification.pushed || notification.read_at) return
    arrivals.value = [notification, ...arrivals.value.filter(({ id }) => id !== notification.id)]
    signalise(notification)
  }
  // A snooze is over. Without a network the list still shows it when it is loaded again.
  const presentWoken = async (id: number) => {
    const woken = await unlessMissing(api.get<NotificationView>(`/notifications/${id}`)).catch(() => undefined)
    if (woken && woken.answer?.status !== 'answered') present(woken)
  }
  const ringAgain = async (id: number) => {
    if (!find(id)) await relist(id).catch(() => {})
    const alert = find(id)
    if (alert && alert.level !== 'passive') signalise(alert)
  }
  const stops = [
    accountStream.onEvents('notification.created', ({ data }) => present(data as NotificationView)),
    accountStream.onEvents('notification.woken', ({ data }) => void presentWoken((data as { id: number }).id)),
    accountStream.onEvents('receipt.repeated', ({ data }) => void ringAgain((data as { id: number }).id)),
    accountStream.onEvents('receipt.escalated', ({ data }) => {
      forget((data as { id: number }).id)
      void ringAgain((data as { id: number }).id)
    }),
    accountStream.onEvents('notification.read', ({ data }) => {
      const { ids, all } = data as { ids?: number[]; all?: true }
      arrivals.value = arrivals.value.filter(({ id }) => !all && !ids?.includes(id))
    }),
    accountStream.onEvents('notification.deleted', ({ data }) => forget((data as { id: number }).id)),
    accountStream.onEvents('notification.answered', ({ data }) => forget((data as { id: number }).id)),
    accountStream.onEvents('receipt.', ({ type, data }) => {
      if (!STILL_ACTIVE.includes(type)) forget((data as { id: number }).id)
    }),
    // What has been answered or read meanwhile is not known. The list has all of them.
    accountStream.onReset(() => (arrivals.value = [])),
  ]
  return () => {
    for (const stop of stops) stop()
    arrivals.value = []
    dismissed.value = new Set()
  }
}
