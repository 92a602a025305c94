// Devices over HTTP.

import {
  ActivityTokenInput,
  AppDeviceInput,
  AppDeviceView,
  DeviceActivityParams,
  DeviceInput,
  DeviceParams,
  DevicePatch,
  DeviceView,
  WebPushKey,
  WidgetToken,
} from '../../contract/devices.ts'
import { List } from '../../contract/fields.ts'
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
import { doorUrlFor, ntfyLinkFor } from '../doors/hosts.ts'
import { route, table } from '../route.ts'

const ofOneDevice = { params: DeviceParams, problems: ['device.not_found', 'request.validation_failed'] } as const

export const deviceRoutes = (ctx: Context) =>
  table({ tag: 'Devices', access: 'user' }, [
    route('PUT /devices/:device_id', {
      id: 'registerDevice',
      summary: 'Register a device, or replace its registration',
      description:
        'The body replaces the registration. A push token or endpoint that another device holds moves to this one. Tokens of activities are kept.',
      params: DeviceParams,
      body: DeviceInput,
      created: DeviceView,
      ok: DeviceView,
      problems: ['device.limit_exceeded'],
      handle: async ({ caller, params, body, reply }) => {
        const { device, action } = await registerDevice(ctx, caller, params.device_id, body)
        reply.code(action === 'created' ? 201 : 200)
        return deviceView(device)
      },
    }),

    route('POST /devices/apps', {
      id: 'addAppDevice',
      summary: 'Add the app of another service as a device',
      description:
        'The ntfy or Gotify app of a phone receives from this server with the answer. Deleting the device ends its connections at once.',
      body: AppDeviceInput,
      created: AppDeviceView,
      problems: ['device.limit_exceeded'],
      handle: async ({ caller, body, request }) => {
        const added = await addAppDevice(ctx, caller, body)
        const link = body.kind === 'ntfy' ? ntfyLinkFor(ctx, request, added.password) : undefined
        return appDeviceView(added, doorUrlFor(ctx, request, body.kind), link)
      },
    }),

    route('GET /devices', {
      id: 'listDevices',
      summary: 'List the devices',
      ok: List(DeviceView),
      handle: async ({ caller }) => ({ items: (await allDevices(ctx, caller)).map(deviceView) }),
    }),

    route('PATCH /devices/:device_id', {
      id: 'updateDevice',
      summary: 'Change the name or the tags of a device',
      ...ofOneDevice,
      body: DevicePatch,
      ok: DeviceView,
      handle: async ({ caller, params, body }) => deviceView(await renameDevice(ctx, caller, params.device_id, body)),
    }),

    route('DELETE /devices/:device_id', {
      id: 'deleteDevice',
      summary: 'Remove a device with all its tokens',
      description: 'If the device signed in with Apple, its full-access token stops working at once.',
      audited: true,
      ...ofOneDevice,
      handle: ({ caller, params }) => removeDevice(ctx, caller, params.device_id),
    }),

    route('PUT /devices/:device_id/activities/:slug', {
      id: 'registerActivityToken',
      summary: 'Register the push token of a live activity on a device',
      params: DeviceActivityParams,
      body: ActivityTokenInput,
      problems: ['slug.invalid', ...ofOneDevice.problems],
      handle: ({ caller, params, body }) => {
        const named = { activityName: params.slug, token: body.push_update_token }
        return registerActivityToken(ctx, caller, params.device_id, named)
      },
    }),

    route('POST /devices/:device_id/widget-token', {
      id: 'issueWidgetToken',
      summary: 'Issue a token for the widget extension of a device; the previous one stops working at once',
      ...ofOneDevice,
      created: WidgetToken,
      handle: async ({ caller, params }) => ({ token: await issueWidgetToken(ctx, caller, params.device_id) }),
    }),

    route('GET /web-push/key', {
      id: 'getWebPushKey',
      summary: 'Read the public key for Web Push subscriptions',
      access: 'any',
      ok: WebPushKey,
      handle: async () => ({ public_key: ctx.webPushPublicKey }),
    }),
  ])
