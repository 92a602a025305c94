// The ceiling of the comparison: bare Fastify routes with the same schemas, without tokens, rules or a database.
import fastify from 'fastify'
import { ActivityPatch, ActivityView } from '../src/contract/activities.ts'
import { NotificationInput, SentNotificationView } from '../src/contract/notifications/notification.ts'
import { WidgetInput, WidgetPatch, WidgetView } from '../src/contract/widgets.ts'
import { CONTENT, MESSAGE, STEPS } from './examples.mjs'

const now = new Date().toISOString()
const widget = { slug: 'bench', name: 'Bench', content: CONTENT, created_at: now, updated_at: now }
const notification = { id: 4711, ...MESSAGE, pushed: true, created_at: now, delivery: 'all' }

const activity = {
  ...{ kind: 'owned', id: '6dabbfa9-2b0d-4208-9cd5-10f335c022fa', slug: 'build', name: 'build', state: 'ongoing' },
  ...{ priority: 0, content: STEPS, created_at: now, updated_at: now },
}

const app = fastify({ ajv: { customOptions: { strict: false, formats: { 'date-time': true } } } })
const parseJson = app.getDefaultJsonParser('error', 'error')
app.addContentTypeParser('application/merge-patch+json', { parseAs: 'string' }, parseJson)
app.post('/widgets', { schema: { body: WidgetInput, response: { 201: WidgetView } } }, async (_request, reply) =>
  reply.code(201).send(widget),
)
app.patch('/widgets/:slug', { schema: { body: WidgetPatch, response: { 200: WidgetView } } }, async () => widget)
app.get('/widgets/:slug', { schema: { response: { 200: WidgetView } } }, async () => widget)
app.patch(
  '/activities/:slug',
  { schema: { body: ActivityPatch, response: { 200: ActivityView } } },
  async () => activity,
)
app.post(
  '/notifications',
  { schema: { body: NotificationInput, response: { 201: SentNotificationView } } },
  async (_request, reply) => reply.code(201).send(notification),
)

const address = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`listening on ${address}`)
