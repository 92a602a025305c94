// What holds notifications back, over HTTP: quiet hours and mutes.
import { List } from '../../contract/fields.ts'
import {
  MuteInput,
  MuteParams,
  MuteView,
  QuietHoursInput,
  QuietHoursView,
  QuietUntilInput,
} from '../../contract/holds.ts'
import type { Context } from '../../operations/context.ts'
import { mute, readMutes, unmute } from '../../operations/holds/mutes.ts'
import {
  beQuietUntil,
  removeQuietHours,
  setQuietHours,
  showQuietHours,
  stopBeingQuiet,
} from '../../operations/holds/quiet-hours.ts'
import { muteView, quietHoursView } from '../../views/holds.ts'
import { route, table } from '../route.ts'

export const quietHoursRoutes = (ctx: Context) =>
  table({ tag: 'Account', access: 'user' }, [
    route('GET /auth/me/quiet-hours', {
      id: 'getQuietHours',
      summary: 'Read the quiet hours',
      ok: QuietHoursView,
      handle: async ({ caller }) => quietHoursView(await showQuietHours(ctx, caller)),
    }),

    route('PUT /auth/me/quiet-hours', {
      id: 'setQuietHours',
      summary: 'Set the quiet hours',
      description:
        'Inside a window notifications below `passes` are stored and not pushed (`delivery` `none`, `reason` `quiet_hours`), and cost no quota. Critical ones, and alerts that ask to be acknowledged, are pushed all the same. Activities and widgets are updated without sounds.',
      body: QuietHoursInput,
      ok: QuietHoursView,
      handle: async ({ caller, body }) => quietHoursView(await setQuietHours(ctx, caller, body)),
    }),

    route('DELETE /auth/me/quiet-hours', {
      id: 'deleteQuietHours',
      summary: 'Delete the quiet hours, and end "do not disturb until"',
      handle: ({ caller }) => removeQuietHours(ctx, caller),
    }),

    route('POST /auth/me/quiet-hours/now', {
      id: 'beQuietUntil',
      summary: 'Do not disturb until a time',
      body: QuietUntilInput,
      ok: QuietHoursView,
      handle: async ({ caller, body }) => quietHoursView(await beQuietUntil(ctx, caller, body)),
    }),

    route('DELETE /auth/me/quiet-hours/now', {
      id: 'endQuietUntil',
      summary: 'End "do not disturb until"; the windows stay',
      handle: ({ caller }) => stopBeingQuiet(ctx, caller),
    }),
  ])

export const muteRoutes = (ctx: Context) =>
  table({ tag: 'Notifications', access: 'user' }, [
    route('GET /mutes', {
      id: 'listMutes',
      summary: 'List what is muted, the first to end first',
      ok: List(MuteView),
      handle: async ({ caller }) => ({ items: (await readMutes(ctx, caller)).map(muteView) }),
    }),

    route('PUT /mutes', {
      id: 'setMute',
      summary: 'Mute a source, a thread or a key until a time',
      description:
        'Its notifications are stored and not pushed (`delivery` `none`, `reason` `muted`), and cost no quota. Critical ones, and alerts that ask to be acknowledged, are pushed all the same.',
      body: MuteInput,
      ok: MuteView,
      created: MuteView,
      problems: ['mute.limit_exceeded', 'integration_key.not_found'],
      handle: async ({ caller, body, reply }) => {
        const { mute: saved, isNew } = await mute(ctx, caller, body)
        reply.code(isNew ? 201 : 200)
        return muteView(saved)
      },
    }),

    route('DELETE /mutes/:mute_id', {
      id: 'endMute',
      summary: 'End a mute',
      params: MuteParams,
      problems: ['mute.not_found', 'path.too_long'],
      handle: ({ caller, params }) => unmute(ctx, caller, params.mute_id),
    }),
  ])
