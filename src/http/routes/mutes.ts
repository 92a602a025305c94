// Mutes over HTTP.
import { MuteInput, MuteList, MuteParams, MuteView } from '../../contract/holds.ts'
import type { Context } from '../../operations/context.ts'
import { mute, readMutes, unmute } from '../../operations/holds/mutes.ts'
import { muteView } from '../../views/holds.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['Notifications']

export function muteRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/mutes',
    {
      schema: {
        tags,
        operationId: 'listMutes',
        summary: 'List what is muted, the first to end first',
        response: { 200: MuteList },
      },
      config: { access: 'user' },
    },
    async (request) => ({ items: (await readMutes(ctx, callerOf(request))).map(muteView) }),
  )

  app.put(
    '/mutes',
    {
      schema: {
        tags,
        operationId: 'setMute',
        summary: 'Mute a source, a thread or a key until a time',
        description:
          'Its notifications are stored and not pushed (`delivery` `none`, `reason` `muted`), and cost no quota. Critical ones, and alerts that ask to be acknowledged, are pushed all the same.',
        body: MuteInput,
        response: { 200: MuteView, 201: MuteView },
      },
      config: { access: 'user', problems: ['mute.limit_exceeded', 'integration_key.not_found'] },
    },
    async (request, reply) => {
      const { mute: saved, isNew } = await mute(ctx, callerOf(request), request.body)
      return reply.code(isNew ? 201 : 200).send(muteView(saved))
    },
  )

  app.delete(
    '/mutes/:mute_id',
    {
      schema: {
        tags,
        operationId: 'endMute',
        summary: 'End a mute',
        params: MuteParams,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ['mute.not_found', 'path.too_long'] },
    },
    async (request, reply) => {
      await unmute(ctx, callerOf(request), request.params.mute_id)
      return reply.code(204).send()
    },
  )
}
