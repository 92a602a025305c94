// The console while no page of it is open: shows pushes, answers their buttons, and keeps the shell for when there is no
// network.
import { fire, isSilent } from '../inbox/fire.ts'
import { recall } from '../state/browser-store.ts'
import { TEXTS } from '../texts.ts'
import { type BannerOptions, toActivityBanner, toBanner } from './banner.ts'
import type { ActivityData, ActivityMessage, BannerData, NotificationMessage, PushMessage } from './push-message.ts'

declare const self: ServiceWorkerGlobalScope

const SHELL = `shell-${SHELL_VERSION}`

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(SHELL_FILES)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldShells())
})

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin || !pathname.startsWith('/app/')) return
  if (mode === 'navigate') event.respondWith(fetch(event.request).catch(() => kept('/app/')))
  else if (pathname.startsWith('/app/assets/')) event.respondWith(keptFirst(event.request))
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
  if (message.type === 'notification') await show(await toBanner(message as NotificationMessage))
  if (message.type === 'activity') await show(toActivityBanner(message as ActivityMessage))
  if (message.type === 'withdraw') await withdraw((message as { withdraw: number[] }).withdraw)
  if ('badge' in message) await setBadge(message.badge)
}

async function show({ title, options }: { title: string; options: BannerOptions }): Promise<void> {
  await self.registration.showNotification(title, options)
}

async function withdraw(ids: number[]): Promise<void> {
  for (const banner of await self.registration.getNotifications()) {
    if (ids.includes((banner.data as BannerData).notification_id)) banner.close()
  }
}

async function setBadge(count: number): Promise<void> {
  const { setAppBadge } = navigator as Partial<Pick<Navigator, 'setAppBadge'>>
  // Only what is installed has a badge.
  await setAppBadge?.call(navigator, count).catch(() => {})
}

async function clicked(banner: Notification, actionId: string, reply: string | undefined): Promise<void> {
  if ('slug' in banner.data) return clickedActivity(banner, actionId)
  const data = banner.data as BannerData
  const action = data.actions?.find(({ id }) => id === actionId)
  // A browser without text fields on banners: the reply is written on the page.
  const needsPage = !action || (action.text_input && reply === undefined)
  if (needsPage) return openPage(`/app/n/${data.notification_id}`)
  try {
    if (!action.url) await answer(data, { action_id: action.id, text: reply, device_id: await recall('device-id') })
    else if (isSilent(action)) await fire(action, reply)
    else await self.clients.openWindow(action.url)
  } catch {
    await sayItFailed(banner)
  }
}

async function clickedActivity(banner: Notification, option: string): Promise<void> {
  const data = banner.data as ActivityData
  if (!option) return openPage(`/app/activities/${data.slug}`)
  await answer(data, { option }).catch(() => sayItFailed(banner))
}

// By the ticket, which works also when the session has ended meanwhile.
async function answer({ answer_ticket }: { answer_ticket?: string }, body: object): Promise<void> {
  const response = await fetch(`/answers/${answer_ticket}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // Someone else was faster: nothing is left to do.
  if (!response.ok && response.status !== 409) throw new Error(`the answer was refused with ${response.status}`)
}

// The banner comes back, so that the person knows and can try again.
async function sayItFailed(banner: Notification): Promise<void> {
  const { title, tag, data, icon } = banner
  const { actions } = banner as Notification & BannerOptions
  const options: BannerOptions = { body: TEXTS.banner.failed, tag, data, icon, actions }
  await self.registration.showNotification(title, options)
}

async function openPage(path: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' })
  const open = pages.find(({ url }) => new URL(url).pathname.startsWith('/app/'))
  if (!open) {
    await self.clients.openWindow(path)
    return
  }
  await open.focus()
  open.postMessage({ open: path })
}

async function kept(path: string): Promise<Response> {
  return (await caches.match(path)) ?? Response.error()
}

async function keptFirst(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

async function forgetOldShells(): Promise<void> {
  for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name)
  await self.clients.claim()
}
