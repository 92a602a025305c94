// A virtual phone or browser: registers over the API, reads the pushes that the fake push services received for it,
// tracks the banners on its screen, and answers with the ticket of a push, as an app without a token does.
import { randomUUID } from 'node:crypto'
import type { DeviceInput } from '../../../src/contract/devices.ts'
import type { TestApp, TestUser } from '../app.ts'
import type { Answer, TestClient } from '../client.ts'
import type { ReceivedPush } from '../fakes/fake-web-push.ts'
import type { PushServices } from '../fakes/push-services.ts'
import { newPushToken } from './devices.ts'

// A payload of either channel.
export type Payload = {
  aps?: { alert?: { title: string; subtitle?: string; body: string }; badge?: number; [member: string]: unknown }
  title?: string
  badge?: number
  notification_id?: number
  answer_ticket?: string
  withdraw?: number[]
  [member: string]: unknown
}

export type Screen = { banners: string[]; badge: number }

export type Phone = {
  id: string
  // All pushes accepted for it, oldest first.
  pushes(): Promise<Payload[]>
  // The titles of the current banners, oldest first, and the badge of the app's icon.
  screen(): Promise<Screen>
  // Presses a button of the banner with this title.
  answer(title: string, actionId: string, text?: string): Promise<Answer>
}

export type ApplePhone = Phone & { token: string; widgetToken: string; widgetReloads(): number }
export type Browser = Phone & { path: string }

// A push replaces an earlier banner with the same slot: the collapse id or tag, else the id of the push itself.
type Arrival = { payload: Payload; slot: string }

type Owner = { app: TestApp; user: TestUser; name?: string }
type Services = Pick<PushServices, 'apns' | 'webPush'>

export async function addPhone({ apns }: Services, { app, user, name = 'Phone' }: Owner): Promise<ApplePhone> {
  const [token, widgetToken] = [newPushToken(), newPushToken()]
  const addresses = { device_token: token, widget_push_token: widgetToken, environment: 'production' } as const
  const id = await register(app, user, { name, platform: 'ios', apns: addresses })
  const acceptedFor = (address: string) =>
    apns.requests.filter((request) => request.token === address && request.isAccepted)
  const arrivals = async () =>
    acceptedFor(token).map(({ payload, headers }) => ({
      payload: JSON.parse(payload),
      slot: String(headers['apns-collapse-id'] ?? headers['apns-id']),
    }))
  return { ...device(id, app, arrivals), token, widgetToken, widgetReloads: () => acceptedFor(widgetToken).length }
}

export async function addBrowser({ webPush }: Services, { app, user, name = 'Browser' }: Owner): Promise<Browser> {
  const { public_key } = (await app.get('/web-push/key', user.token)).body
  const { endpoint, keys } = await webPush.subscribe(public_key)
  const id = await register(app, user, { name, platform: 'web', web_push: { endpoint, keys } })
  const path = new URL(endpoint).pathname
  const texts = new Map<ReceivedPush, string>()
  const arrivals = async () => {
    const received = webPush.received.filter((push) => push.path === path)
    // In order, and each once: reading a push adds it to the browser's list.
    for (const push of received) if (!texts.has(push)) texts.set(push, await webPush.read(push))
    return received.map((push, index) => {
      const payload: Payload = JSON.parse(texts.get(push) ?? '')
      return { payload, slot: String(payload.tag ?? index) }
    })
  }
  return { ...device(id, app, arrivals), path }
}

async function register(app: TestApp, user: TestUser, input: DeviceInput): Promise<string> {
  const id = randomUUID()
  const { status, text } = await app.put(`/devices/${id}`, input, user.token)
  if (status !== 201) throw new Error(`cannot register a device: ${text}`)
  return id
}

function device(id: string, client: TestClient, arrivals: () => Promise<Arrival[]>): Phone {
  return {
    id,
    pushes: async () => (await arrivals()).map(({ payload }) => payload),
    screen: async () => screenAfter(await arrivals()),
    async answer(title, actionId, text) {
      const banner = (await arrivals()).findLast(({ payload }) => titleOf(payload) === title)
      if (!banner?.payload.answer_ticket) throw new Error(`no banner "${title}" that can be answered`)
      const body = { action_id: actionId, text, device_id: id }
      return client.post(`/answers/${banner.payload.answer_ticket}`, body)
    },
  }
}

function screenAfter(arrivals: Arrival[]): Screen {
  const banners = new Map<string, Payload>()
  let badge = 0
  for (const { payload, slot } of arrivals) {
    badge = payload.aps?.badge ?? payload.badge ?? badge
    for (const [shown, { notification_id }] of banners) {
      if (payload.withdraw?.includes(notification_id ?? 0)) banners.delete(shown)
    }
    if (titleOf(payload) === undefined) continue
    banners.delete(slot)
    banners.set(slot, payload)
  }
  return { banners: [...banners.values()].map((payload) => titleOf(payload) ?? ''), badge }
}

const titleOf = (payload: Payload) => payload.aps?.alert?.title ?? payload.title
