// A phone with live activities: it has a push-to-start token, registers a token for each activity that it shows, and
// records the pushes it was sent.
import { randomUUID } from 'node:crypto'
import type { TestApp, TestUser } from '../app.ts'
import type { PushServices } from '../fakes/push-services.ts'
import { newPushToken } from './devices.ts'

export type ActivityPushed = {
  aps: { timestamp: number; event: string; 'content-state': Record<string, unknown>; [member: string]: unknown }
  headers: Record<string, unknown>
}

export type ActivityPhone = {
  id: string
  startToken: string
  // The pushes accepted for one of its tokens, or for all of them, oldest first.
  pushes(token?: string): ActivityPushed[]
  // The event and the state text of each of them, such as "start Lint".
  words(token?: string): string[]
  // Registers a token for an activity, by slug or id, as the app does once the activity runs; returns it.
  show(name: string): Promise<string>
}

export async function addActivityPhone(
  { apns }: Pick<PushServices, 'apns'>,
  { app, user, id = randomUUID() }: { app: TestApp; user: TestUser; id?: string },
): Promise<ActivityPhone> {
  const startToken = newPushToken()
  const tokens = new Set([startToken])
  const addresses = { device_token: newPushToken(), push_to_start_token: startToken, environment: 'production' }
  await app.put(`/devices/${id}`, { name: 'Phone', platform: 'ios', apns: addresses }, user.token)
  const pushes = (token?: string): ActivityPushed[] =>
    apns.requests
      .filter((request) => request.isAccepted && (token ? request.token === token : tokens.has(request.token)))
      .map(({ payload, headers }) => ({ aps: JSON.parse(payload).aps, headers }))
  return {
    id,
    startToken,
    pushes,
    words: (token) => pushes(token).map(({ aps }) => `${aps.event} ${aps['content-state'].state ?? ''}`.trim()),
    async show(name) {
      const token = newPushToken()
      tokens.add(token)
      const { status } = await app.put(`/devices/${id}/activities/${name}`, { push_update_token: token }, user.token)
      if (status !== 204) throw new Error(`cannot register a token: ${status}`)
      return token
    },
  }
}
