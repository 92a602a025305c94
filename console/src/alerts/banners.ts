// New notifications that an open console shows on every page: as a banner, with a sound if it is critical, and by the
// system if no tab is visible.
import { signal } from '@preact/signals'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import { api, unlessMissing } from '../api/client.ts'
import { decryptedView } from '../inbox/decryption.ts'
import { notifications } from '../inbox/inbox.ts'
import { accountStream } from '../state/events.ts'
import { playAlarm } from './sound.ts'
import { showBySystem } from './system-notification.ts'

// Most urgent first, then newest first.
export const banners = signal<NotificationView[]>([])

const URGENCY: NotificationView['level'][] = ['critical', 'time-sensitive', 'active']

export const staysUntilDismissed = ({ level }: NotificationView): boolean => level !== 'active'

export function dismissBanner(id: number): void {
  banners.value = banners.value.filter((one) => one.id !== id)
}

// After these events the alert still waits for someone.
const STILL_ACTIVE = ['receipt.created', 'receipt.repeated', 'receipt.escalated']

// Returns a function that stops it.
export function followAlerts(openPage: (path: string) => void): () => void {
  const present = (notification: NotificationView) => {
    // Passive ones, and those sent to the inbox only, make no sign on a phone either.
    if (notification.level === 'passive' || !notification.pushed || notification.read_at) return
    const others = banners.value.filter(({ id }) => id !== notification.id)
    const rank = ({ level }: NotificationView) => URGENCY.indexOf(level)
    banners.value = [notification, ...others].sort((a, b) => rank(a) - rank(b))
    void showBySystem(decryptedView(notification), openPage)
    if (notification.level === 'critical') void playAlarm(notification.id)
  }
  // A snooze is over. Without a network the list still shows it when it is loaded again.
  const presentWoken = async (id: number) => {
    const woken = await unlessMissing(api.get<NotificationView>(`/notifications/${id}`)).catch(() => undefined)
    if (woken && woken.answer?.status !== 'answered') present(woken)
  }
  const presentAgain = (id: number) => {
    const alert = notifications.value.find((one) => one.id === id)
    if (alert) present({ ...alert, read_at: undefined })
  }
  const stops = [
    accountStream.onEvents('notification.created', ({ data }) => present(data as NotificationView)),
    accountStream.onEvents('notification.woken', ({ data }) => void presentWoken((data as { id: number }).id)),
    accountStream.onEvents('receipt.repeated', ({ data }) => presentAgain((data as { id: number }).id)),
    accountStream.onEvents('receipt.escalated', ({ data }) => presentAgain((data as { id: number }).id)),
    accountStream.onEvents('notification.read', ({ data }) => {
      const { ids, all } = data as { ids?: number[]; all?: true }
      banners.value = banners.value.filter(({ id }) => !all && !ids?.includes(id))
    }),
    accountStream.onEvents('notification.deleted', ({ data }) => dismissBanner((data as { id: number }).id)),
    accountStream.onEvents('notification.answered', ({ data }) => dismissBanner((data as { id: number }).id)),
    accountStream.onEvents('receipt.', ({ type, data }) => {
      if (!STILL_ACTIVE.includes(type)) dismissBanner((data as { id: number }).id)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
    banners.value = []
  }
}
