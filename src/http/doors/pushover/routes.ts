// The door for senders of Pushover: messages, receipts of emergency messages, glances, and what senders ask on set-up.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import type { Caller } from '../../../domain/caller.ts'
import { readGlance } from '../../../domain/doors/pushover/glance.ts'
import {
  EMERGENCY,
  type PushoverFields,
  readPushoverMessage,
  requireUserKey,
} from '../../../domain/doors/pushover/message.ts'
import { receiptAnswer, receiptIdOf } from '../../../domain/doors/pushover/receipt.ts'
import { SOUNDS } from '../../../domain/doors/pushover/sounds.ts'
import { describeOwnQuota, usageAfter } from '../../../operations/accounts/usage.ts'
import type { Context } from '../../../operations/context.ts'
import { showGlance } from '../../../operations/doors/pushover/glance.ts'
import { cancelPushoverReceipt, findPushoverReceipt } from '../../../operations/doors/pushover/receipts.ts'
import { sendFromPushover } from '../../../operations/doors/pushover/send.ts'
import { validateUser } from '../../../operations/doors/pushover/validate.ts'
import { cancelByTag } from '../../../operations/receipts/receipts.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { DOOR_ROUTE, openDoor, streamBodies } from '../door.ts'
import { limitsOf, pushoverErrorOf, setLimits, success } from './answers.ts'
import { receiveMessage } from './attachments.ts'
import { findCaller, readFields } from './request.ts'

// A compressed body could be larger than it says.
const ROUTE = { ...DOOR_ROUTE, decompress: false } as const

export function pushoverDoor(app: HttpServer, ctx: Context): void {
  openDoor(app, ctx, {
    prefix: '/pushover',
    errorOf: pushoverErrorOf,
    routes(scope) {
      streamBodies(scope)
      messageRoutes(scope, ctx)
      receiptRoutes(scope, ctx)
      informationRoutes(scope, ctx)
    },
  })
}

function messageRoutes(scope: HttpServer, ctx: Context): void {
  scope.post('/1/messages.json', ROUTE, async (request, reply) => {
    const { notificationId, quota, caller, message } = await receiveMessage(ctx, request, async (received) => {
      const message = readPushoverMessage(received.fields)
      const sent = await sendFromPushover(ctx, received.caller, message, received.attachment)
      return { ...sent, caller: received.caller, message }
    })
    const usage = quota ? usageAfter(ctx, caller, quota) : await describeOwnQuota(ctx, caller, 'notifications')
    setLimits(reply, limitsOf(usage))
    return success(message.priority === EMERGENCY ? { receipt: receiptIdOf(notificationId) } : {})
  })

  scope.post('/1/glances.json', ROUTE, async (request) => {
    const { caller, fields } = await readRequest(ctx, request)
    requireUserKey(fields)
    await showGlance(ctx, caller, readGlance(fields))
    return success()
  })
}

function receiptRoutes(scope: HttpServer, ctx: Context): void {
  scope.get('/1/receipts/:file', ROUTE, async (request) => {
    const { caller } = await readRequest(ctx, request)
    const { receipt, record } = await findPushoverReceipt(ctx, caller, nameOf(request, 'file'))
    return success(receiptAnswer(receipt, record, ctx.clock.now()))
  })

  scope.post('/1/receipts/:receipt/cancel.json', ROUTE, async (request) => {
    const { caller } = await readRequest(ctx, request)
    await cancelPushoverReceipt(ctx, caller, (request.params as { receipt: string }).receipt)
    return success()
  })

  scope.post('/1/receipts/cancel_by_tag/:file', ROUTE, async (request) => {
    const { caller } = await readRequest(ctx, request)
    return success({ canceled: await cancelByTag(ctx, caller, nameOf(request, 'file')) })
  })
}

function informationRoutes(scope: HttpServer, ctx: Context): void {
  scope.post('/1/users/validate.json', ROUTE, async (request) => {
    const { caller, fields } = await readRequest(ctx, request)
    requireUserKey(fields)
    const devices = await validateUser(ctx, caller, fields.get('device'))
    // Senders show the platforms that a user has paid for. Here nobody pays for one.
    return success({ group: 0, devices: devices.map(({ name }) => name), licenses: ['Android', 'iOS', 'Desktop'] })
  })

  scope.get('/1/sounds.json', ROUTE, async (request) => {
    await readRequest(ctx, request)
    return success({ sounds: SOUNDS })
  })

  scope.get('/1/apps/limits.json', ROUTE, async (request, reply) => {
    const { caller } = await readRequest(ctx, request)
    const limits = limitsOf(await describeOwnQuota(ctx, caller, 'notifications'))
    setLimits(reply, limits)
    return success(limits)
  })
}

async function readRequest(ctx: Context, request: FastifyRequest): Promise<{ caller: Caller; fields: PushoverFields }> {
  const fields = await readFields(ctx, request)
  return { caller: await findCaller(ctx, request, fields), fields }
}

// The part of the path before ".json".
function nameOf(request: FastifyRequest, parameter: string): string {
  const file = (request.params as Record<string, string>)[parameter] ?? ''
  if (file.endsWith('.json')) return file.slice(0, -'.json'.length)
  throw new Problem('route.not_found', `There is nothing at ${request.method} ${request.routeOptions.url}.`)
}
