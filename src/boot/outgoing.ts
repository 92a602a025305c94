// The connections to other services: push channels, callbacks and the mail server, and what operations may use of them.
import { LIMITS } from '../contract/limits.ts'
import type { MailResult } from '../domain/emails/email.ts'
import type { Context, JobContext } from '../operations/context.ts'
import { createPushTo } from '../push/address.ts'
import type { Channels, OpenChannels } from '../push/channels/channels.ts'
import type { MailChannel } from '../push/channels/smtp.ts'
import type { VapidKeys } from '../push/channels/web-push/vapid.ts'
import { type Outbound, openOutbound } from '../push/outbound-http.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Config } from '../runtime/settings.ts'
import { type OutgoingFunctions, observed } from './observed-outgoing.ts'
import { apnsOptions, barkOptions, openMailIfConfigured } from './provider-settings.ts'

export type Outgoing = { channels: Channels; outbound: Outbound; mail: MailChannel | undefined }

type OutgoingParts = { openChannels: OpenChannels; vapid: VapidKeys; clock: Clock; log: Log; ca: string | undefined }

// Push services need a contact for the operator of the server.
const FALLBACK_SUBJECT = 'mailto:operator@localhost'

export function openOutgoing(config: Config, { openChannels, vapid, clock, log, ca }: OutgoingParts): Outgoing {
  const { outboundAllow } = config
  const webPush = { keys: vapid, subject: config.publicUrl ?? FALLBACK_SUBJECT }
  return {
    channels: openChannels(
      { apns: apnsOptions(config), bark: barkOptions(config), webPush, outboundAllow, ca },
      { clock, log },
    ),
    outbound: openOutbound({ allow: outboundAllow, log, ca }),
    mail: openMailIfConfigured(config, { clock, log, ca }),
  }
}

const NO_MAIL_SERVER: MailResult = { result: 'try_later', reason: 'This server has no mail server.' }

const CALLBACK_BOUNDS = {
  deadlineMs: LIMITS.callback.timeoutSeconds * 1000,
  maxResponseBytes: LIMITS.callback.maxAnswerBytes,
}

const ASK_BOUNDS = { deadlineMs: 8000, maxResponseBytes: 16 * 1024, requireHttps: false }

// What contexts have in a process that reaches other servers.
export function outgoingFunctions(
  { channels, outbound, mail }: Outgoing,
  ctx: Pick<Context, 'clock' | 'metrics' | 'tracing' | 'sealingKey'>,
): Omit<JobContext, Exclude<keyof Context, 'askServer'>> {
  const outgoing: OutgoingFunctions = {
    pushTo: createPushTo(channels, ctx.sealingKey),
    sendMail: async (message) => mail?.send(message) ?? NO_MAIL_SERVER,
    postCallback: (request) => outbound.send({ ...request, ...CALLBACK_BOUNDS }),
  }
  const askServer: Context['askServer'] = (request) => outbound.send({ ...request, ...ASK_BOUNDS })
  return { askServer, ...(ctx.metrics.isOn || ctx.tracing.isOn ? observed(outgoing, ctx) : outgoing) }
}
