// Heartbeats over HTTP, for who manages them. Their pings come in through the door (doors/pings.ts).
import { Type } from 'typebox'
import { DryRun, DryRunQuery } from '../../contract/dry-run.ts'
import {
  HeartbeatInput,
  HeartbeatList,
  HeartbeatParams,
  HeartbeatPatch,
  HeartbeatView,
  PingKeyView,
  PingList,
} from '../../contract/heartbeats.ts'
import type { Context } from '../../operations/context.ts'
import {
  patchHeartbeat,
  pauseHeartbeat,
  putHeartbeat,
  removeHeartbeat,
  resumeHeartbeat,
  rollHeartbeat,
} from '../../operations/heartbeats/manage.ts'
import { rollPingKey, shownPingKey } from '../../operations/heartbeats/ping-key.ts'
import { allHeartbeats, lastPings, readHeartbeat } from '../../operations/heartbeats/read.ts'
import { dryRunView } from '../../views/dry-run.ts'
import { heartbeatView, pingView } from '../../views/heartbeats.ts'
import { route, table } from '../route.ts'
import { TARGET } from './notifications.ts'

const toSend = { resource: 'notifications', level: 'send' } as const
const toSchedule = { resource: 'notifications', level: 'schedule' } as const
const ofOne = { params: HeartbeatParams, problems: ['heartbeat.not_found'] } as const
// The alert has the rules of a notification, and a widget those of widgets.
const SETTING = [
  'heartbeat.invalid',
  'notification.invalid',
  'notification_receipt.disabled',
  'escalation.unknown',
  'escalation.after_expiry',
  ...TARGET,
  'integration_key.slug_invalid',
  'widget.limit_exceeded',
] as const
const NO_PUSHES = { pushes: [] }
const STATE_CHANGES = {
  pause: { summary: 'Stop judging a heartbeat, until a ping or a resume', change: pauseHeartbeat },
  resume: { summary: 'Judge a paused heartbeat again, from now on', change: resumeHeartbeat },
  roll: { summary: 'Give a heartbeat a new address; the old one stops working at once', change: rollHeartbeat },
}

export const heartbeatRoutes = (ctx: Context) =>
  table({ tag: 'Heartbeats', organization: true, access: toSchedule }, [
    route('GET /heartbeats', {
      id: 'listHeartbeats',
      summary: 'List the heartbeats, newest first',
      access: toSend,
      ok: HeartbeatList,
      handle: async ({ caller, publicUrl }) => {
        const items = (await allHeartbeats(ctx, caller)).map((shown) => heartbeatView(shown, publicUrl))
        return { items, ping_key: await shownPingKey(ctx, caller) }
      },
    }),

    route('GET /heartbeats/:slug', {
      id: 'getHeartbeat',
      summary: 'Read a heartbeat',
      access: toSend,
      ...ofOne,
      ok: HeartbeatView,
      handle: async ({ caller, params, publicUrl }) =>
        heartbeatView(await readHeartbeat(ctx, caller, params.slug), publicUrl),
    }),

    route('GET /heartbeats/:slug/pings', {
      id: 'listPings',
      summary: 'List the last pings of a heartbeat, newest first',
      access: toSend,
      ...ofOne,
      ok: PingList,
      handle: async ({ caller, params }) => ({ items: (await lastPings(ctx, caller, params.slug)).map(pingView) }),
    }),

    route('POST /heartbeats', {
      id: 'createHeartbeat',
      summary: 'Create a heartbeat, or change the one with this slug',
      description:
        'A job pings `ping_url`, by GET, HEAD or POST: as it is after a success, `/start` when it begins, `/fail` or `/{exit status}` when it ends, `/log` to keep a note. If no success comes in time, or a failure does, an alert is sent.',
      query: DryRunQuery,
      body: HeartbeatInput,
      created: HeartbeatView,
      ok: Type.Union([HeartbeatView, DryRun]),
      problems: [...SETTING, 'heartbeat.limit_exceeded'],
      handle: async ({ caller, body, mode, publicUrl, reply }) => {
        const { action, ...shown } = await putHeartbeat(ctx, caller, body, mode)
        const view = heartbeatView(shown, publicUrl)
        if (mode === 'dry_run') return dryRunView(action, view, NO_PUSHES)
        reply.code(action === 'created' ? 201 : 200)
        return view
      },
    }),

    route('PATCH /heartbeats/:slug', {
      id: 'updateHeartbeat',
      summary: 'Change a heartbeat; its address stays',
      params: HeartbeatParams,
      query: DryRunQuery,
      body: HeartbeatPatch,
      ok: Type.Union([HeartbeatView, DryRun]),
      problems: [...ofOne.problems, ...SETTING],
      handle: async ({ caller, params, body, mode, publicUrl }) => {
        const changed = await patchHeartbeat(ctx, caller, params.slug, { patch: body, mode })
        const view = heartbeatView(changed, publicUrl)
        return mode === 'dry_run' ? dryRunView('updated', view, NO_PUSHES) : view
      },
    }),

    route('DELETE /heartbeats/:slug', {
      id: 'deleteHeartbeat',
      summary: 'Delete a heartbeat, its pings and its widget',
      ...ofOne,
      handle: ({ caller, params }) => removeHeartbeat(ctx, caller, params.slug),
    }),

    route('POST /heartbeats/ping-key/roll', {
      id: 'rollPingKey',
      summary: 'Replace the key for pings by slug; the old one stops working at once',
      ok: PingKeyView,
      problems: ['integration_key.target_denied'],
      handle: async ({ caller }) => ({ ping_key: await rollPingKey(ctx, caller) }),
    }),

    ...Object.entries(STATE_CHANGES).map(([verb, { summary, change }]) =>
      route(`POST /heartbeats/:slug/${verb}`, {
        id: `${verb}Heartbeat`,
        summary,
        ...ofOne,
        ok: HeartbeatView,
        handle: async ({ caller, params, publicUrl }) =>
          heartbeatView(await change(ctx, caller, params.slug), publicUrl),
      }),
    ),
  ])
