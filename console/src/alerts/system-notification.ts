// Shows a notification by the system when no tab of the console is visible. A browser that is registered as a device gets
// a push for the same.
import type { DecryptedView } from '../inbox/decryption.ts'
import { thisDeviceId } from '../state/this-browser.ts'
import { isAnyTabVisible } from './tabs.ts'

export const canShowBySystem = (): boolean => 'Notification' in window

export async function showBySystem(notification: DecryptedView, openPage: (path: string) => void): Promise<void> {
  if (!canShowBySystem() || Notification.permission !== 'granted') return
  if ((await isAnyTabVisible()) || (await thisDeviceId().catch(() => undefined))) return
  const { id, title, subtitle, body, level, icon_url } = notification
  try {
    const shown = new Notification(title, {
      body: subtitle ? `${subtitle}\n${body}` : body,
      // Several hidden tabs replace each other's.
      tag: `console-${id}`,
      icon: icon_url ?? '/app/icon-192.png',
      requireInteraction: level === 'critical',
    })
    shown.onclick = () => {
      window.focus()
      openPage(`/app/n/${id}`)
      shown.close()
    }
  } catch {
    // Chrome on Android allows them to service workers only.
  }
}
