// The page that a browser shows at the address of a hook.
import type { FastifyReply } from 'fastify'
import type { Hook } from '../../../domain/hooks/hook.ts'
import { sendPage } from '../../html.ts'

export function sendHookPage(reply: FastifyReply, { name, kind, secret }: Hook, url: string): FastifyReply {
  const authorization = secret === null ? '' : " -H 'Authorization: Bearer SECRET'"
  return sendPage(reply, 200, {
    title: `Webhook ${name}`,
    text: `Programs post their reports here (kind ${kind}), and each becomes a notification. Keep this address secret. To try it:`,
    code: `curl${authorization} -H 'Content-Type: application/json' -d '{"title": "Hello", "message": "It works."}' ${url}`,
  })
}
