// Heartbeats over HTTP, for who manages them. Their pings come in through the door (doors/pings.ts).
import { Type } from 'typebox'
import { DryRun, DryRunQuery } from '../../../contract/dry-run.ts'
import {
  HeartbeatInput,
  HeartbeatList,
  HeartbeatParams,
  HeartbeatPatch,
  HeartbeatView,
  PingKeyView,
  PingList,
} from '../../../contract/heartbeats.ts'
import type { Context } from '../../../operations/context.ts'
import {
  patchHeartbeat,
  pauseHeartbeat,
  putHeartbeat,
  removeHeartbeat,
  resumeHeartbeat,
  rollHeartbeat,
} from '../../../operations/heartbeats/manage.ts'
import { rollPingKey, shownPingKey } from '../../../operations/heartbeats/ping-key.ts'
import { allHeartbeats, lastPings, readHeartbeat } from '../../../operations/heartbeats/read.ts'
import { dryRunView } from '../../../views/dry-run.ts'
import { heartbeatView, pingView } from '../../../views/heartbeats.ts'
import { callerOf } from '../../caller.ts'
import { changeMode } from '../../change-mode.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'

const tags = ['Heartbeats']
const toSend = { access: { resource: 'notifications', level: 'send' } } as const
const toSchedule = { access: { resource: 'notifications', level: 'schedule' } } as const
const ABOUT_ONE = ['heartbeat.not_found'] as const
// The alert has the rules of a notification, and a widget those of widgets.
const SETTING = [
  'heartbeat.invalid',
  'notification.invalid',
  'notification_receipt.disabled',
  'escalation.unknown',
  'escalation.after_expiry',
  'org.target_unavailable',
  'org.target_invalid',
  'org.target_unknown',
  'integration_key.target_denied',
  'integration_key.slug_invalid',
  'widget.limit_exceeded',
] as const
const NO_PUSHES = { pushes: [] }

export function heartbeatRoutes(app: HttpServer, ctx: Context): void {
  readingRoutes(app, ctx)
  settingRoutes(app, ctx)
  stateRoutes(app, ctx)
}

function readingRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/heartbeats',
    {
      schema: {
        tags,
        operationId: 'listHeartbeats',
        summary: 'List the heartbeats, newest first',
        response: { 200: HeartbeatList },
      },
      config: toSend,
    },
    async (request) => {
      const [caller, publicUrl] = [callerOf(request), publicUrlFor(ctx, request)]
      const items = (await allHeartbeats(ctx, caller)).map((shown) => heartbeatView(shown, publicUrl))
      return { items, ping_key: await shownPingKey(ctx, caller) }
    },
  )

  app.get(
    '/heartbeats/:slug',
    {
      schema: {
        tags,
        operationId: 'getHeartbeat',
        summary: 'Read a heartbeat',
        params: HeartbeatParams,
        response: { 200: HeartbeatView },
      },
      config: { ...toSend, problems: ABOUT_ONE },
    },
    async (request) =>
      heartbeatView(await readHeartbeat(ctx, callerOf(request), request.params.slug), publicUrlFor(ctx, request)),
  )

  app.get(
    '/heartbeats/:slug/pings',
    {
      schema: {
        tags,
        operationId: 'listPings',
        summary: 'List the last pings of a heartbeat, newest first',
        params: HeartbeatParams,
        response: { 200: PingList },
      },
      config: { ...toSend, problems: ABOUT_ONE },
    },
    async (request) => ({ items: (await lastPings(ctx, callerOf(request), request.params.slug)).map(pingView) }),
  )
}

function settingRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/heartbeats',
    {
      schema: {
        tags,
        operationId: 'createHeartbeat',
        summary: 'Create a heartbeat, or change the one with this slug',
        description:
          'A job pings `ping_url`, by GET, HEAD or POST: as it is after a success, `/start` when it begins, `/fail` or `/{exit status}` when it ends, `/log` to keep a note. If no success comes in time, or a failure does, an alert is sent.',
        querystring: DryRunQuery,
        body: HeartbeatInput,
        response: { 201: HeartbeatView, 200: Type.Union([HeartbeatView, DryRun]) },
      },
      config: { ...toSchedule, problems: [...SETTING, 'heartbeat.limit_exceeded'] },
    },
    async (request, reply) => {
      const mode = changeMode(request.query)
      const { action, ...shown } = await putHeartbeat(ctx, callerOf(request), request.body, mode)
      const view = heartbeatView(shown, publicUrlFor(ctx, request))
      if (mode === 'dry_run') return reply.code(200).send(dryRunView(action, view, NO_PUSHES))
      return reply.code(action === 'created' ? 201 : 200).send(view)
    },
  )

  app.patch(
    '/heartbeats/:slug',
    {
      schema: {
        tags,
        operationId: 'updateHeartbeat',
        summary: 'Change a heartbeat; its address stays',
        params: HeartbeatParams,
        querystring: DryRunQuery,
        body: HeartbeatPatch,
        response: { 200: Type.Union([HeartbeatView, DryRun]) },
      },
      config: { ...toSchedule, problems: [...ABOUT_ONE, ...SETTING] },
    },
    async (request) => {
      const mode = changeMode(request.query)
      const changed = await patchHeartbeat(ctx, callerOf(request), request.params.slug, { patch: request.body, mode })
      const view = heartbeatView(changed, publicUrlFor(ctx, request))
      return mode === 'dry_run' ? dryRunView('updated', view, NO_PUSHES) : view
    },
  )

  app.delete(
    '/heartbeats/:slug',
    {
      schema: {
        tags,
        operationId: 'deleteHeartbeat',
        summary: 'Delete a heartbeat, its pings and its widget',
        params: HeartbeatParams,
        response: { 204: {} },
      },
      config: { ...toSchedule, problems: ABOUT_ONE },
    },
    async (request, reply) => {
      await removeHeartbeat(ctx, callerOf(request), request.params.slug)
      return reply.code(204).send()
    },
  )
}

const STATE_CHANGES = [
  {
    verb: 'pause',
    operationId: 'pauseHeartbeat',
    summary: 'Stop judging a heartbeat, until a ping or a resume',
    change: pauseHeartbeat,
  },
  {
    verb: 'resume',
    operationId: 'resumeHeartbeat',
    summary: 'Judge a paused heartbeat again, from now on',
    change: resumeHeartbeat,
  },
  {
    verb: 'roll',
    operationId: 'rollHeartbeat',
    summary: 'Give a heartbeat a new address; the old one stops working at once',
    change: rollHeartbeat,
  },
]

function stateRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/heartbeats/ping-key/roll',
    {
      schema: {
        tags,
        operationId: 'rollPingKey',
        summary: 'Replace the key for pings by slug; the old one stops working at once',
        response: { 200: PingKeyView },
      },
      config: { ...toSchedule, problems: ['integration_key.target_denied'] },
    },
    async (request) => ({ ping_key: await rollPingKey(ctx, callerOf(request)) }),
  )

  for (const { verb, operationId, summary, change } of STATE_CHANGES) {
    app.post(
      `/heartbeats/:slug/${verb}`,
      {
        schema: { tags, operationId, summary, params: HeartbeatParams, response: { 200: HeartbeatView } },
        config: { ...toSchedule, problems: ABOUT_ONE },
      },
      async (request) => {
        const { slug } = request.params as { slug: string }
        return heartbeatView(await change(ctx, callerOf(request), slug), publicUrlFor(ctx, request))
      },
    )
  }
}
