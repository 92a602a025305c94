// Counts and times what goes out: pushes, mails and callbacks.
import type { JobContext } from './operations/context.ts'
import { reasonLabel } from './push/reason-label.ts'
import type { Clock } from './runtime/clock.ts'
import type { Metrics } from './runtime/metrics/metrics.ts'

export type OutgoingFunctions = Pick<JobContext, 'pushTo' | 'sendMail' | 'postCallback'>

export function measured(
  outgoing: OutgoingFunctions,
  { clock, metrics }: { clock: Clock; metrics: Metrics },
): OutgoingFunctions {
  return {
    async pushTo(address, message) {
      const startedMs = clock.monotonicMs()
      const pushed = await outgoing.pushTo(address, message)
      const ms = clock.monotonicMs() - startedMs
      const channel = address.kind === 'web_push' ? 'web_push' : 'apns'
      metrics.pushEnded({ channel, result: pushed.result, reason: reasonLabel(pushed), ms })
      return pushed
    },
    async sendMail(mail) {
      const sent = await outgoing.sendMail(mail)
      metrics.mailEnded(sent.result)
      return sent
    },
    async postCallback(request) {
      const reply = await outgoing.postCallback(request)
      metrics.callbackEnded(reply.kind === 'answered' ? `${Math.floor(reply.status / 100)}xx` : reply.kind)
      return reply
    },
  }
}
