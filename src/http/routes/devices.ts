// Devices over HTTP.
import { Type } from 'typebox'
import {
  ActivityTokenInput,
  DeviceActivityParams,
  DeviceInput,
  DeviceParams,
  DevicePatch,
  DeviceView,
  WebPushKey,
  WidgetToken,
} from '../../contract/device.ts'
import { deviceId } from '../../domain/device.ts'
import type { Context } from '../../operations/context.ts'
import {
  allDevices,
  issueWidgetToken,
  registerActivityToken,
  registerDevice,
  removeDevice,
  renameDevice,
} from '../../operations/devices.ts'
import { deviceView } from '../../views/device.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['Devices']
const ofOneDevice = ['device.not_found', 'request.validation_failed'] as const

export function deviceRoutes(app: HttpServer, ctx: Context): void {
  app.put(
    '/devices/:device_id',
    {
      schema: {
        tags,
        summary: 'Register a device, or refresh it',
        description:
          'The body describes the device whole. A token or endpoint that another device holds moves here. Tokens of activities stay.',
        params: DeviceParams,
        body: DeviceInput,
        response: { 201: DeviceView, 200: DeviceView },
      },
      config: { access: 'user', problems: ['device.limit_exceeded'] },
    },
    async (request, reply) => {
      const id = deviceId(request.params.device_id)
      const { device, action } = await registerDevice(ctx, callerOf(request), id, request.body)
      return reply.code(action === 'created' ? 201 : 200).send(deviceView(device))
    },
  )

  app.get(
    '/devices',
    {
      schema: { tags, summary: 'All devices', response: { 200: Type.Object({ items: Type.Array(DeviceView) }) } },
      config: { access: 'user' },
    },
    async (request) => ({ items: (await allDevices(ctx, callerOf(request))).map(deviceView) }),
  )

  app.patch(
    '/devices/:device_id',
    {
      schema: {
        tags,
        summary: 'Rename a device, or change its tags',
        params: DeviceParams,
        body: DevicePatch,
        response: { 200: DeviceView },
      },
      config: { access: 'user', problems: ofOneDevice },
    },
    async (request) =>
      deviceView(await renameDevice(ctx, callerOf(request), deviceId(request.params.device_id), request.body)),
  )

  app.delete(
    '/devices/:device_id',
    {
      schema: {
        tags,
        summary: 'Remove a device with all its tokens',
        description: 'It is signed out too, if it signed in with Apple: its full-access token stops at once.',
        params: DeviceParams,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ofOneDevice },
    },
    async (request, reply) => {
      await removeDevice(ctx, callerOf(request), deviceId(request.params.device_id))
      return reply.code(204).send()
    },
  )

  app.put(
    '/devices/:device_id/activities/:slug',
    {
      schema: {
        tags,
        summary: 'Register the token with which one live activity on this device is updated',
        params: DeviceActivityParams,
        body: ActivityTokenInput,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ['slug.invalid', ...ofOneDevice] },
    },
    async (request, reply) => {
      const { device_id: id, slug: activitySlug } = request.params
      const token = request.body.push_update_token
      await registerActivityToken(ctx, callerOf(request), deviceId(id), { activitySlug, token })
      return reply.code(204).send()
    },
  )

  app.post(
    '/devices/:device_id/widget-token',
    {
      schema: {
        tags,
        summary: 'A token for the device’s widget extension; the former one stops at once',
        params: DeviceParams,
        response: { 201: WidgetToken },
      },
      config: { access: 'user', problems: ofOneDevice },
    },
    async (request, reply) => {
      const token = await issueWidgetToken(ctx, callerOf(request), deviceId(request.params.device_id))
      return reply.code(201).send({ token })
    },
  )

  app.get(
    '/web-push/key',
    {
      schema: { tags, summary: 'The key with which browsers subscribe to Web Push', response: { 200: WebPushKey } },
      config: { access: 'any' },
    },
    async () => ({ public_key: ctx.webPushPublicKey }),
  )
}
