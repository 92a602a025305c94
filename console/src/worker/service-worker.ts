// The service worker: shows pushes as banners, sends the answers of their buttons, and caches the console for offline
// use.

import { callSilently, isSilent } from '../inbox/silent-call.ts'
import { readValue } from '../state/browser-store.ts'
import { ENGLISH } from '../texts/banner.ts'
import { BANNER as GERMAN } from '../texts/german/banner.ts'
import { type BannerOptions, toActivityBanner, toBanner } from './banner.ts'
import type { ActivityData, ActivityMessage, BannerData, NotificationMessage, PushMessage } from './push-message.ts'

declare const self: ServiceWorkerGlobalScope

const SHELL = `shell-${SHELL_VERSION}`

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(SHELL_FILES)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteOldShells())
})

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin || !pathname.startsWith('/app/')) return
  if (mode === 'navigate') event.respondWith(fetch(event.request).catch(() => fromCache('/app/')))
  else if (pathname.startsWith('/app/assets/')) event.respondWith(cacheFirst(event.request))
})

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(receive(event.data.json()))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { reply } = event as NotificationEvent & { reply?: string | null }
  event.waitUntil(clicked(event.notification, event.action, reply ?? undefined))
})

async function receive(message: PushMessage): Promise<void> {
  if (message.type === 'notification') {
    await show(await toBanner(message as NotificationMessage, (await texts()).acknowledge))
  }
  if (message.type === 'activity') await receiveActivity(message as ActivityMessage)
  if (message.type === 'withdraw') await withdraw((message as { withdraw: number[] }).withdraw)
  if ('badge' in message) await setBadge(message.badge)
}

async function receiveActivity(message: ActivityMessage): Promise<void> {
  if (!message.dismiss) return show(toActivityBanner(message))
  for (const banner of await shownBanners({ tag: message.tag })) banner.close()
}

const showing = new Set<Promise<void>>()

async function show({ title, options }: { title: string; options: BannerOptions }): Promise<void> {
  const shown = self.registration.showNotification(title, options)
  showing.add(shown)
  await shown.finally(() => showing.delete(shown))
}

// If banners are listed while one is being shown, Chromium forgets that one.
async function shownBanners(filter?: GetNotificationOptions): Promise<Notification[]> {
  await Promise.allSettled(showing)
  return self.registration.getNotifications(filter)
}

async function withdraw(ids: number[]): Promise<void> {
  for (const banner of await shownBanners()) {
    if (ids.includes((banner.data as BannerData).notification_id)) banner.close()
  }
}

async function setBadge(count: number): Promise<void> {
  const { setAppBadge } = navigator as Partial<Pick<NavigatorBadge, 'setAppBadge'>>
  // Fails unless the console is installed as an app.
  await setAppBadge?.call(navigator, count).catch(() => {})
}

async function clicked(banner: Notification, actionId: string, reply: string | undefined): Promise<void> {
  if (!('notification_id' in banner.data)) return clickedActivity(banner, actionId)
  const data = banner.data as BannerData
  const action = data.actions?.find(({ id }) => id === actionId)
  // Some browsers have no text field on banners; the reply is then typed on the page.
  const needsPage = !action || (action.text_input && reply === undefined)
  if (needsPage) return openPage(`/app/n/${data.notification_id}`)
  try {
    if (!action.url) await answer(data, { action_id: action.id, text: reply, device_id: await readValue('device-id') })
    else if (isSilent(action)) await callSilently(action, reply)
    else await self.clients.openWindow(action.url)
  } catch {
    await showFailedBanner(banner)
  }
}

async function clickedActivity(banner: Notification, option: string): Promise<void> {
  const data = banner.data as ActivityData
  if (!option) return openPage(`/app/activities/${data.id}`)
  await answer(data, { option }).catch(() => showFailedBanner(banner))
}

// Uses the ticket instead of the session, which may have ended.
async function answer({ answer_ticket }: { answer_ticket?: string }, body: object): Promise<void> {
  const response = await fetch(`/answers/${answer_ticket}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // 409: another device has answered first.
  if (!response.ok && response.status !== 409) throw new Error(`the answer was refused with ${response.status}`)
}

// Shows the banner again with an error text, so that the person can retry.
async function showFailedBanner(banner: Notification): Promise<void> {
  const { title, tag, data, icon } = banner
  const { actions } = banner as Notification & BannerOptions
  await show({ title, options: { body: (await texts()).failed, tag, data, icon, actions } })
}

const texts = async () => ((await readValue('language')) === 'de' ? GERMAN : ENGLISH)

async function openPage(path: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' })
  const open = pages.find(({ url }) => new URL(url).pathname.startsWith('/app/'))
  if (!open) {
    await self.clients.openWindow(path)
    return
  }
  // First the page, then the focus, which a browser may refuse.
  open.postMessage({ open: path })
  await open.focus()
}

async function fromCache(path: string): Promise<Response> {
  return (await caches.match(path)) ?? Response.error()
}

async function cacheFirst(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

async function deleteOldShells(): Promise<void> {
  for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name)
  await self.clients.claim()
}
