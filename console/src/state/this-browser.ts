// What this browser can do, and its registration as a device, with the Web Push subscription of the service worker.
import type { DeviceView } from '../../../src/contract/devices.ts'
import { api, unlessMissing } from '../api/client.ts'
import { TEXTS } from '../texts/base.ts'
import { deleteValues, readValue, storeValue } from './browser-store.ts'

export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

// Whether this browser can use passkeys here: they need https, or localhost, and a host name.
export const canUsePasskeys = (): boolean =>
  globalThis.isSecureContext && 'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(location.hostname)

// On iOS, Web Push works only for web apps on the home screen.
export const needsInstalling = (): boolean => !canPush() && /iphone|ipad/i.test(navigator.userAgent)

export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  await navigator.serviceWorker.register('/app/service-worker.js', { scope: '/app/' })
}

// When a banner is clicked while the console is open, the service worker sends the page to show.
export function onBannerClick(show: (path: string) => void): () => void {
  const listen = ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open) show(data.open)
  }
  navigator.serviceWorker?.addEventListener('message', listen)
  return () => navigator.serviceWorker?.removeEventListener('message', listen)
}

export async function thisDeviceId(): Promise<string | undefined> {
  return readValue('device-id')
}

// Call it from a click handler: browsers require a user gesture to ask for permission.
export async function addThisBrowser(name: string): Promise<DeviceView> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error(TEXTS.thisBrowser.denied)
  const registration = await navigator.serviceWorker.ready
  const { public_key: applicationServerKey } = await api.get<{ public_key: string }>('/web-push/key')
  // Drop an old subscription: one made for another VAPID key (a reinstalled server) never gets a push.
  await (await registration.pushManager.getSubscription())?.unsubscribe()
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey })
    .catch((cause) => {
      throw new Error(TEXTS.thisBrowser.noPushService, { cause })
    })
  const id = (await readValue('device-id')) ?? crypto.randomUUID()
  const device = await api.put<DeviceView>(`/devices/${id}`, {
    name,
    platform: 'web',
    web_push: addressOf(subscription),
  })
  await storeValue('device-id', id)
  return device
}

export async function removeThisBrowser(): Promise<void> {
  const id = await readValue('device-id')
  if (!id) return
  await unlessMissing(api.delete(`/devices/${id}`))
  await deleteValues('device-id')
  const registration = await navigator.serviceWorker?.getRegistration('/app/')
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

function addressOf(subscription: PushSubscription): object {
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } }
}

// The server names browsers in English, for example "Chrome on Linux".
export function browserInWords(name: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(name) ?? []
  return browser && system ? TEXTS.thisBrowser.suggestedName(browser, system) : name
}

// For example "Chrome on Linux".
export function suggestedName(agent = navigator.userAgent): string {
  const browser = [
    ['Edg/', 'Edge'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ].find(([mark]) => agent.includes(mark as string))?.[1]
  const system = [
    ['Android', 'Android'],
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Mac OS', 'Mac'],
    ['Windows', 'Windows'],
  ].find(([mark]) => agent.includes(mark as string))?.[1]
  return TEXTS.thisBrowser.suggestedName(browser ?? 'Browser', system ?? 'Linux')
}
