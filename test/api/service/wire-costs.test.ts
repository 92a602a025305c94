// What a request costs on PostgreSQL, counted on the wire: statements, and round trips that it waits for. The numbers of round
// trips may only fall. A further statement that is queued needs a comparison (bench) which shows that it costs nothing.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../../support/client.ts'
import { type CountingLink, openCountingLink, type WireCost } from '../../support/database/counting-link.ts'
import { createTestDatabase, isPostgres } from '../../support/database/database.ts'
import { addBrowser } from '../../support/devices/phone.ts'
import { startPushServices } from '../../support/fakes/push-services.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'

const COSTS: Record<string, WireCost> = {
  'GET /widgets/{slug}': { roundTrips: 1, statements: 2 },
  'PATCH /widgets/{slug}': { roundTrips: 3, statements: 8 },
  'PATCH /activities/{slug}': { roundTrips: 3, statements: 10 },
  'POST /notifications, push: false': { roundTrips: 2, statements: 7 },
  'POST /notifications, no device': { roundTrips: 4, statements: 9 },
  'POST /notifications, one device': { roundTrips: 7, statements: 15 },
  'POST /gotify/message': { roundTrips: 6, statements: 11 },
  'GET /ping/{token}': { roundTrips: 2, statements: 4 },
  'GET /notifications/unread-count': { roundTrips: 2, statements: 2 },
  'GET /ready': { roundTrips: 1, statements: 1 },
}

async function startCounted() {
  const database = await createTestDatabase()
  const url = new URL(database.environment.HELIOGRAPH_DATABASE_URL as string)
  const link = await openCountingLink(Number(url.port))
  url.port = String(link.port)
  const environment = { ...database.environment, HELIOGRAPH_DATABASE_URL: url.href }
  const services = await startPushServices()
  const app = await services.startNode({}, { ...database, environment })
  // Jobs that no request waits for would be counted with it.
  app.app.worker.stopClaiming()
  await app.app.worker.untilIdle(5000)
  onTestFinished(async () => {
    await services.close()
    await app.stop()
    await database.drop()
  })
  return { app, services, link }
}

// The least of three requests: on a busy machine, a write in the background, such as that of last uses, falls into one of
// them. The request before them compiles and prepares.
async function costOf(link: CountingLink, send: () => Promise<Answer>): Promise<WireCost> {
  await send()
  const measure = () => link.costOf(async () => expect((await send()).status).toBeLessThan(300))
  const costs = [await measure(), await measure(), await measure()]
  return {
    roundTrips: Math.min(...costs.map(({ roundTrips }) => roundTrips)),
    statements: Math.min(...costs.map(({ statements }) => statements)),
  }
}

describe.skipIf(!isPostgres())('the cost of a request on PostgreSQL', () => {
  test('is what the table says', async () => {
    const { app, services, link } = await startCounted()
    const user = await app.addUser()
    const { defaultKey: key } = user
    const kuma = { name: 'Kuma', permissions: { notifications: 'send' } }
    const { id: keyId } = (await app.post('/integrations/keys', kuma, user.token)).body
    const alias = (await app.post(`/integrations/keys/${keyId}/aliases`, { door: 'gotify' }, user.token)).body.token
    await app.post('/widgets', { slug: 'w', name: 'W', content: { template: 'value', value: 0 } }, key)
    let value = 0
    const steps = () => ({ template: 'steps', total_steps: 20, current_step: ++value })
    const message = { title: 'Disk full', body: 'node-3 has 2 % left' }
    const costs: Record<string, WireCost> = {}
    const note = async (name: string, send: () => Promise<Answer>) => {
      costs[name] = await costOf(link, send)
    }
    await note('GET /widgets/{slug}', () => app.get('/widgets/w', key))
    await note('PATCH /widgets/{slug}', () => app.patch('/widgets/w', { content: { value: ++value } }, key))
    await note('PATCH /activities/{slug}', () =>
      app.patch('/activities/a?upsert=true', { state: 'ongoing', content: steps() }, key),
    )
    await note('POST /notifications, push: false', () => app.post('/notifications', { ...message, push: false }, key))
    await note('POST /notifications, no device', () => app.post('/notifications', message, key))
    await note('POST /gotify/message', () => app.post(`/gotify/message?token=${alias}`, { message: 'Disk full' }))
    await addBrowser(services, { app, user })
    await note('POST /notifications, one device', () => app.post('/notifications', message, key))
    await note('GET /notifications/unread-count', () => app.get('/notifications/unread-count', user.token))
    const heartbeat = await heartbeatsOf(app).add(user)
    await note('GET /ping/{token}', () => app.get(heartbeat.path))
    await note('GET /ready', () => app.get('/ready'))
    expect(costs).toEqual(COSTS)
  })
})
