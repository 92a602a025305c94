// A phone with the Bark app: registers as the app does, and what APNs got for it.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import type { Environment } from '../../../src/runtime/config.ts'
import type { TestApp, TestUser } from '../app.ts'
import { type PushApp, type PushServices, startPushServices } from '../fakes/push-services.ts'

export const BARK_TOPIC = 'me.fin.bark'

// The settings of a server that may push to the Bark app, with the key that the local APNs knows.
export const barkSettings = ({ apns, settings }: PushServices): Environment => ({
  HELIOGRAPH_BARK_KEY_FILE: settings.HELIOGRAPH_APNS_KEY_FILE,
  HELIOGRAPH_BARK_KEY_ID: apns.provider.keyId,
  HELIOGRAPH_BARK_TEAM_ID: apns.provider.teamId,
})

// One server that may push to the Bark app, for all tests of a file.
export function useBarkApp(environment: Environment = {}): PushApp {
  const shared = {} as PushApp
  let services: PushServices
  beforeAll(async () => {
    services = await startPushServices()
    Object.assign(shared, services, await services.startNode({ ...barkSettings(services), ...environment }))
  })
  afterAll(async () => {
    await services.close()
    await shared.stop()
  })
  return shared
}

export type BarkPhone = {
  deviceId: string
  token: string
  // The path of the address that the app was given.
  path: string
  key: string
  encryptionKey?: string
  register(members?: { devicetoken?: string; key?: string }): Promise<{ status: number; body: RegisterAnswer }>
  // What APNs got for this phone, without what it got before the last call.
  pushes(): { headers: Record<string, unknown>; payload: BarkPayload }[]
}

type RegisterAnswer = { code: number; message: string; data?: { key: string; device_token: string } }
export type BarkPayload = { aps: Record<string, unknown> & { alert?: Record<string, string> } } & Record<string, string>

export async function addBarkPhone(app: PushApp, user: TestUser, members: object = {}): Promise<BarkPhone> {
  const { status, body } = await app.post('/devices/apps', { kind: 'bark', name: 'iPhone', ...members }, user.token)
  if (status !== 201) throw new Error(`cannot add a phone: ${JSON.stringify(body)}`)
  const path = new URL(body.server_url).pathname
  const phone: BarkPhone = {
    deviceId: body.device.id,
    token: randomBytes(32).toString('hex'),
    path,
    key: '',
    encryptionKey: body.encryption_key,
    register: (given = {}) => {
      const { devicetoken = phone.token, key = phone.key } = given
      return app.get(`${path}/register?devicetoken=${devicetoken}&key=${key}`)
    },
    pushes: createInbox(app, () => phone.token),
  }
  const registered = await phone.register()
  if (registered.body.code !== 200) throw new Error(`cannot register: ${JSON.stringify(registered.body)}`)
  phone.key = registered.body.data?.key ?? ''
  return phone
}

export function createInbox({ apns }: PushApp, tokenOf: () => string): BarkPhone['pushes'] {
  let seen = 0
  return () => {
    const all = apns.requests.filter(({ token }) => token === tokenOf())
    const fresh = all.slice(seen)
    seen = all.length
    return fresh.map(({ headers, payload }) => ({ headers, payload: JSON.parse(payload) }))
  }
}

export const notify = (app: TestApp, user: TestUser, members: object = {}) =>
  app.post('/notifications', { title: 'Disk full', body: '/var has 0 bytes left.', ...members }, user.token)
