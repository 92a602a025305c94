// The door for senders of Pushover: messages, receipts of emergency messages, glances, and what senders ask on set-up.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import type { Caller } from '../../../domain/caller.ts'
import { readGlance } from '../../../domain/doors/pushover/glance.ts'
import { SOUNDS } from '../../../domain/doors/pushover/mapping.ts'
import {
  EMERGENCY,
  type PushoverFields,
  readPushoverMessage,
  requireUserKey,
} from '../../../domain/doors/pushover/message.ts'
import { receiptAnswer, receiptIdOf } from '../../../domain/doors/pushover/receipt.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import type { Context } from '../../../operations/context.ts'
import {
  cancelPushoverReceipt,
  findPushoverReceipt,
  sendFromPushover,
  showGlance,
  validateUser,
} from '../../../operations/doors/pushover.ts'
import { describeOwnQuota, usageAfter } from '../../../operations/quota.ts'
import { cancelByTag } from '../../../operations/receipts/receipts.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { DOOR_ROUTE, openDoor } from '../door.ts'
import { FORMS, limitsOf, pushoverErrorOf, setLimits, success, toXml } from './answers.ts'
import { receiveMessage } from './attachments.ts'
import { findCaller, readFields } from './request.ts'

// A compressed body could be larger than it says.
const ROUTE = { ...DOOR_ROUTE, decompress: false } as const

export function pushoverDoor(app: HttpServer, ctx: Context): void {
  openDoor(app, ctx, {
    prefix: '/pushover',
    errorOf: pushoverErrorOf,
    unknownToken: 'token.invalid',
    routes(scope) {
      answerInXml(scope)
      messageRoutes(scope, ctx)
      receiptRoutes(scope, ctx)
      informationRoutes(scope, ctx)
    },
  })
}

// Errors, too.
function answerInXml(scope: HttpServer): void {
  scope.addHook('onRequest', (request, reply, done) => {
    if (/\.xml(\?|$)/.test(request.url)) {
      reply.type('application/xml; charset=utf-8').serializer((answer: object) => toXml(answer))
    }
    done()
  })
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<object>

// `path`: without its ending.
function answer(scope: HttpServer, method: 'GET' | 'POST', path: string, handler: Handler): void {
  for (const form of FORMS) scope.route({ ...ROUTE, method, url: `${path}.${form}`, handler })
}

function messageRoutes(scope: HttpServer, ctx: Context): void {
  answer(scope, 'POST', '/1/messages', async (request, reply) => {
    const { notificationId, quota, caller, message } = await receiveMessage(ctx, request, async (received) => {
      const message = readPushoverMessage(received.fields)
      const sent = await sendFromPushover(ctx, received.caller, message, received.attachment)
      return { ...sent, caller: received.caller, message }
    })
    const usage = quota ? usageAfter(ctx, caller, quota) : await describeOwnQuota(ctx, caller, 'notifications')
    setLimits(reply, limitsOf(usage))
    return success(message.priority === EMERGENCY ? { receipt: receiptIdOf(notificationId) } : {})
  })

  answer(scope, 'POST', '/1/glances', async (request) => {
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

  answer(scope, 'POST', '/1/receipts/:receipt/cancel', async (request) => {
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
  answer(scope, 'POST', '/1/users/validate', async (request) => {
    const { caller, fields } = await readRequest(ctx, request)
    requireUserKey(fields)
    const devices = await validateUser(ctx, caller, fields.get('device'))
    // Senders show the platforms that a user has paid for. Here nobody pays for one.
    return success({ group: 0, devices: devices.map(({ name }) => name), licenses: ['Android', 'iOS', 'Desktop'] })
  })

  answer(scope, 'GET', '/1/sounds', async (request) => {
    await readRequest(ctx, request)
    return success({ sounds: SOUNDS })
  })

  answer(scope, 'GET', '/1/apps/limits', async (request, reply) => {
    const { caller } = await readRequest(ctx, request)
    requireLevel(caller, 'notifications', 'send')
    const limits = limitsOf(await describeOwnQuota(ctx, caller, 'notifications'))
    setLimits(reply, limits)
    return success(limits)
  })
}

async function readRequest(ctx: Context, request: FastifyRequest): Promise<{ caller: Caller; fields: PushoverFields }> {
  const fields = await readFields(ctx, request)
  return { caller: await findCaller(ctx, request, fields), fields }
}

// The part of the path before its ending.
function nameOf(request: FastifyRequest, parameter: string): string {
  const file = (request.params as Record<string, string>)[parameter] ?? ''
  const form = FORMS.find((one) => file.endsWith(`.${one}`))
  if (form) return file.slice(0, -form.length - 1)
  throw new Problem('route.not_found', `There is nothing at ${request.method} ${request.routeOptions.url}.`)
}
