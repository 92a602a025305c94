// Quiet hours over HTTP.
import { QuietHoursInput, QuietHoursView, QuietUntilInput } from '../../../contract/holds.ts'
import type { Context } from '../../../operations/context.ts'
import {
  beQuietUntil,
  removeQuietHours,
  setQuietHours,
  showQuietHours,
  stopBeingQuiet,
} from '../../../operations/holds/quiet-hours.ts'
import { quietHoursView } from '../../../views/holds.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'

const tags = ['Account']

export function quietHoursRoutes(app: HttpServer, ctx: Context): void {
  weeklyRoutes(app, ctx)
  untilRoutes(app, ctx)
}

function weeklyRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/auth/me/quiet-hours',
    {
      schema: {
        tags,
        operationId: 'getQuietHours',
        summary: 'Read the quiet hours',
        response: { 200: QuietHoursView },
      },
      config: { access: 'user' },
    },
    async (request) => quietHoursView(await showQuietHours(ctx, callerOf(request))),
  )

  app.put(
    '/auth/me/quiet-hours',
    {
      schema: {
        tags,
        operationId: 'setQuietHours',
        summary: 'Set the quiet hours',
        description:
          'Inside a window notifications below `passes` are stored and not pushed (`delivery` `none`, `reason` `quiet_hours`), and cost no quota. Critical ones, and alerts that ask to be acknowledged, are pushed all the same. Activities and widgets are updated without sounds.',
        body: QuietHoursInput,
        response: { 200: QuietHoursView },
      },
      config: { access: 'user' },
    },
    async (request) => quietHoursView(await setQuietHours(ctx, callerOf(request), request.body)),
  )

  app.delete(
    '/auth/me/quiet-hours',
    {
      schema: {
        tags,
        operationId: 'deleteQuietHours',
        summary: 'Delete the quiet hours, and end "do not disturb until"',
        response: { 204: {} },
      },
      config: { access: 'user' },
    },
    async (request, reply) => {
      await removeQuietHours(ctx, callerOf(request))
      return reply.code(204).send()
    },
  )
}

function untilRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/auth/me/quiet-hours/now',
    {
      schema: {
        tags,
        operationId: 'beQuietUntil',
        summary: 'Do not disturb until a time',
        body: QuietUntilInput,
        response: { 200: QuietHoursView },
      },
      config: { access: 'user' },
    },
    async (request) => quietHoursView(await beQuietUntil(ctx, callerOf(request), request.body)),
  )

  app.delete(
    '/auth/me/quiet-hours/now',
    {
      schema: {
        tags,
        operationId: 'endQuietUntil',
        summary: 'End "do not disturb until"; the windows stay',
        response: { 204: {} },
      },
      config: { access: 'user' },
    },
    async (request, reply) => {
      await stopBeingQuiet(ctx, callerOf(request))
      return reply.code(204).send()
    },
  )
}
