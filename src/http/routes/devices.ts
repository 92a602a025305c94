// Devices over HTTP.

import {
  ActivityTokenInput,
  AppDeviceInput,
  AppDeviceView,
  ApproveInput,
  ChangedDeviceView,
  DeviceActivityParams,
  DeviceInput,
  DeviceParams,
  DevicePatch,
  DeviceView,
  PushEndpointParams,
  PushEndpointPatch,
  PushEndpointView,
  WebPushKey,
  WidgetToken,
} from '../../contract/devices.ts'
import { List } from '../../contract/fields.ts'
import type { Caller } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import { addAppDevice } from '../../operations/apps/add.ts'
import { addBarkDevice } from '../../operations/apps/bark/add.ts'
import { approvePhone, retryLink } from '../../operations/apps/bark/manage.ts'
import { endEndpoint, endpointsOf, pinEndpoint } from '../../operations/apps/push-endpoints.ts'
import type { Context } from '../../operations/context.ts'
import {
  allDevices,
  issueWidgetToken,
  listedDevice,
  registerActivityToken,
  registerDevice,
  removeDevice,
  renameDevice,
} from '../../operations/devices.ts'
import { appDeviceView, barkDeviceView, deviceView, listedDeviceView, pushEndpointView } from '../../views/devices.ts'
import { doorUrlFor, ntfyLinkFor } from '../doors/hosts.ts'
import { route, table } from '../route.ts'

const ofOneDevice = { params: DeviceParams, problems: ['device.not_found', 'request.validation_failed'] } as const

const whichOf = ({ device_id, endpoint_id }: { device_id: DeviceId; endpoint_id: string }) => ({
  deviceId: device_id,
  endpointId: endpoint_id,
})

export const deviceRoutes = (ctx: Context) => {
  const viewOf = async (caller: Caller, id: DeviceId) =>
    listedDeviceView(await listedDevice(ctx, caller, id), ctx.clock.now())
  return table({ tag: 'Devices', access: 'user' }, [
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
        'The ntfy or Gotify app of a phone receives from this server with the answer. The Bark app registers with the address of the answer, or is pushed to through the bark-server at `address`. Deleting the device ends its connections at once.',
      body: AppDeviceInput,
      created: AppDeviceView,
      problems: ['device.limit_exceeded', 'device.channel_unavailable', 'device.address_invalid'],
      handle: async ({ caller, body, request }) => {
        if (body.kind === 'bark') {
          return barkDeviceView(await addBarkDevice(ctx, caller, body), doorUrlFor(ctx, request, body.kind))
        }
        const added = await addAppDevice(ctx, caller, body)
        const link = body.kind === 'ntfy' ? ntfyLinkFor(ctx, request, added.password) : undefined
        return appDeviceView(added, doorUrlFor(ctx, request, body.kind), link)
      },
    }),

    route('GET /devices', {
      id: 'listDevices',
      summary: 'List the devices',
      ok: List(DeviceView),
      handle: async ({ caller }) => {
        const now = ctx.clock.now()
        return { items: (await allDevices(ctx, caller)).map((device) => listedDeviceView(device, now)) }
      },
    }),

    route('PATCH /devices/:device_id', {
      id: 'updateDevice',
      summary: 'Change the name, the tags or the options of a device',
      description: '`address` and `encrypt` are for the Bark app. A key that is made for it is in `encryption_key`.',
      ...ofOneDevice,
      body: DevicePatch,
      ok: ChangedDeviceView,
      problems: [...ofOneDevice.problems, 'device.address_invalid'],
      handle: async ({ caller, params, body }) => {
        const { madeKey } = await renameDevice(ctx, caller, params.device_id, body)
        return { ...(await viewOf(caller, params.device_id)), encryption_key: madeKey }
      },
    }),

    route('POST /devices/:device_id/approve', {
      id: 'approvePhone',
      summary: 'Let a phone that asks take the place of this one',
      description: 'For the Bark app: `pending` of the device says who asks. From then on pushes go to that phone.',
      audited: true,
      ...ofOneDevice,
      body: ApproveInput,
      ok: DeviceView,
      problems: [...ofOneDevice.problems, 'device.nothing_pending'],
      handle: async ({ caller, params, body }) => {
        await approvePhone(ctx, caller, params.device_id, body.pending_id)
        return viewOf(caller, params.device_id)
      },
    }),

    route('POST /devices/:device_id/retry', {
      id: 'retryDevice',
      summary: 'Push to an app again whose address has failed',
      ...ofOneDevice,
      ok: DeviceView,
      handle: async ({ caller, params }) => {
        await retryLink(ctx, caller, params.device_id)
        return viewOf(caller, params.device_id)
      },
    }),

    route('DELETE /devices/:device_id', {
      id: 'deleteDevice',
      summary: 'Remove a device with all its tokens',
      description: 'If the device signed in with Apple, its full-access token stops working at once.',
      audited: true,
      ...ofOneDevice,
      handle: ({ caller, params }) => removeDevice(ctx, caller, params.device_id),
    }),

    route('GET /devices/:device_id/push-endpoints', {
      id: 'listPushEndpoints',
      summary: 'List the endpoints of UnifiedPush that other apps on a phone use',
      ...ofOneDevice,
      ok: List(PushEndpointView),
      handle: async ({ caller, params }) => {
        const now = ctx.clock.now()
        return { items: (await endpointsOf(ctx, caller, params.device_id)).map((one) => pushEndpointView(one, now)) }
      },
    }),

    route('PATCH /devices/:device_id/push-endpoints/:endpoint_id', {
      id: 'updatePushEndpoint',
      summary: 'Let an endpoint take messages of one sender only',
      params: PushEndpointParams,
      body: PushEndpointPatch,
      ok: PushEndpointView,
      problems: ['device.endpoint_not_found', 'request.validation_failed'],
      handle: async ({ caller, params, body }) =>
        pushEndpointView(await pinEndpoint(ctx, caller, whichOf(params), body.pinned), ctx.clock.now()),
    }),

    route('DELETE /devices/:device_id/push-endpoints/:endpoint_id', {
      id: 'deletePushEndpoint',
      summary: 'End an endpoint; its sender learns that it is gone',
      params: PushEndpointParams,
      problems: ['device.endpoint_not_found', 'request.validation_failed'],
      handle: ({ caller, params }) => endEndpoint(ctx, caller, whichOf(params)),
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
}
