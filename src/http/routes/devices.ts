// Devices over HTTP.
import {
  ActivityTokenInput,
  AppDeviceInput,
  AppDeviceView,
  DeviceActivityParams,
  DeviceInput,
  DeviceList,
  DeviceParams,
  DevicePatch,
  DeviceView,
  WebPushKey,
  WidgetToken,
} from '../../contract/devices.ts'
import { addAppDevice } from '../../operations/apps/add.ts'
import type { Context } from '../../operations/context.ts'
import {
  allDevices,
  issueWidgetToken,
  registerActivityToken,
  registerDevice,
  removeDevice,
  renameDevice,
} from '../../operations/devices.ts'
import { appDeviceView, deviceView } from '../../views/devices.ts'
import { callerOf } from '../caller.ts'
import { doorUrlFor } from '../doors/hosts.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['Devices']
const ofOneDevice = ['device.not_found', 'request.validation_failed'] as const

export function deviceRoutes(app: HttpServer, ctx: Context): void {
  app.put(
    '/devices/:device_id',
    {
      schema: {
        tags,
        operationId: 'registerDevice',
        summary: 'Register a device, or replace its registration',
        description:
          'The body replaces the registration. A push token or endpoint that another device holds moves to this one. Tokens of activities are kept.',
        params: DeviceParams,
        body: DeviceInput,
        response: { 201: DeviceView, 200: DeviceView },
      },
      config: { access: 'user', problems: ['device.limit_exceeded'] },
    },
    async (request, reply) => {
      const { device_id: id } = request.params
      const { device, action } = await registerDevice(ctx, callerOf(request), id, request.body)
      return reply.code(action === 'created' ? 201 : 200).send(deviceView(device))
    },
  )

  app.post(
    '/devices/apps',
    {
      schema: {
        tags,
        operationId: 'addAppDevice',
        summary: 'Add the app of another service as a device',
        description:
          'The ntfy or Gotify app of a phone receives from this server with the answer. Deleting the device ends its connections at once.',
        body: AppDeviceInput,
        response: { 201: AppDeviceView },
      },
      config: { access: 'user', problems: ['device.limit_exceeded'] },
    },
    async (request, reply) => {
      const added = await addAppDevice(ctx, callerOf(request), request.body)
      return reply.code(201).send(appDeviceView(added, doorUrlFor(ctx, request, request.body.kind)))
    },
  )

  app.get(
    '/devices',
    {
      schema: { tags, operationId: 'listDevices', summary: 'List the devices', response: { 200: DeviceList } },
      config: { access: 'user' },
    },
    async (request) => ({ items: (await allDevices(ctx, callerOf(request))).map(deviceView) }),
  )

  app.patch(
    '/devices/:device_id',
    {
      schema: {
        tags,
        operationId: 'updateDevice',
        summary: 'Change the name or the tags of a device',
        params: DeviceParams,
        body: DevicePatch,
        response: { 200: DeviceView },
      },
      config: { access: 'user', problems: ofOneDevice },
    },
    async (request) => deviceView(await renameDevice(ctx, callerOf(request), request.params.device_id, request.body)),
  )

  app.delete(
    '/devices/:device_id',
    {
      schema: {
        tags,
        operationId: 'deleteDevice',
        summary: 'Remove a device with all its tokens',
        description: 'If the device signed in with Apple, its full-access token stops working at once.',
        params: DeviceParams,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ofOneDevice },
    },
    async (request, reply) => {
      await removeDevice(ctx, callerOf(request), request.params.device_id)
      return reply.code(204).send()
    },
  )

  app.put(
    '/devices/:device_id/activities/:slug',
    {
      schema: {
        tags,
        operationId: 'registerActivityToken',
        summary: 'Register the push token of a live activity on a device',
        params: DeviceActivityParams,
        body: ActivityTokenInput,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ['slug.invalid', ...ofOneDevice] },
    },
    async (request, reply) => {
      const { device_id: id, slug: activityName } = request.params
      const token = request.body.push_update_token
      await registerActivityToken(ctx, callerOf(request), id, { activityName, token })
      return reply.code(204).send()
    },
  )

  app.post(
    '/devices/:device_id/widget-token',
    {
      schema: {
        tags,
        operationId: 'issueWidgetToken',
        summary: 'Issue a token for the widget extension of a device; the previous one stops working at once',
        params: DeviceParams,
        response: { 201: WidgetToken },
      },
      config: { access: 'user', problems: ofOneDevice },
    },
    async (request, reply) => {
      const token = await issueWidgetToken(ctx, callerOf(request), request.params.device_id)
      return reply.code(201).send({ token })
    },
  )

  app.get(
    '/web-push/key',
    {
      schema: {
        tags,
        operationId: 'getWebPushKey',
        summary: 'Read the public key for Web Push subscriptions',
        response: { 200: WebPushKey },
      },
      config: { access: 'any' },
    },
    async () => ({ public_key: ctx.webPushPublicKey }),
  )
}
