// Counts, times and traces what goes out: pushes, mails and callbacks.
import type { Context, JobContext } from '../operations/context.ts'
import { reasonLabel } from '../push/reason-label.ts'

export type OutgoingFunctions = Pick<JobContext, 'pushTo' | 'sendMail' | 'postCallback'>
type Observers = Pick<Context, 'clock' | 'metrics' | 'tracing'>

const CHANNELS = {
  alert: 'apns',
  push_to_start: 'apns',
  widget: 'apns',
  activity: 'apns',
  web_push: 'web_push',
  bark: 'bark',
  bark_server: 'bark_server',
} as const

export function observed(outgoing: OutgoingFunctions, { clock, metrics, tracing }: Observers): OutgoingFunctions {
  return {
    pushTo(address, message) {
      const channel = CHANNELS[address.kind]
      const attributes = { 'heliograph.channel': channel, 'heliograph.push': message.kind }
      return tracing.span({ name: `push ${channel}`, attributes, reachesOut: true }, async (span) => {
        const startedMs = clock.monotonicMs()
        const pushed = await outgoing.pushTo(address, message)
        const end = { channel, result: pushed.result, reason: reasonLabel(pushed) } as const
        metrics.pushEnded({ ...end, ms: clock.monotonicMs() - startedMs })
        span.set({ 'heliograph.result': end.result, 'heliograph.reason': end.reason || undefined })
        if (pushed.result !== 'accepted') span.fail(end.reason)
        return pushed
      })
    },
    sendMail(mail) {
      return tracing.span({ name: 'send mail', attributes: {}, reachesOut: true }, async (span) => {
        const sent = await outgoing.sendMail(mail)
        metrics.mailEnded(sent.result)
        span.set({ 'heliograph.result': sent.result })
        if (sent.result !== 'accepted') span.fail(sent.result)
        return sent
      })
    },
    postCallback(request) {
      return tracing.span({ name: 'post callback', attributes: {}, reachesOut: true }, async (span) => {
        const reply = await outgoing.postCallback(request)
        const result = reply.kind === 'answered' ? `${Math.floor(reply.status / 100)}xx` : reply.kind
        metrics.callbackEnded(result)
        span.set({ 'heliograph.result': result })
        if (result !== '2xx') span.fail(result)
        return reply
      })
    },
  }
}
