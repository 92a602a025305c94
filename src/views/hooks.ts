// A hook and the requests it got, as clients see them.
import type { HookPreview, HookRequestView, HookView, HookWithUrl } from '../contract/hooks.ts'
import { stormView } from '../domain/holds/storm.ts'
import type { Hook } from '../domain/hooks/hook.ts'
import type { HookRun } from '../domain/hooks/message.ts'
import type { KeptRequest } from '../domain/hooks/request.ts'
import { toRfc3339 } from '../domain/instant.ts'
import type { IncomingNotification } from '../domain/notifications/notification.ts'

export const hookView = (hook: Hook): HookView => ({
  id: hook.id,
  name: hook.name,
  kind: hook.kind,
  key_id: hook.keyId,
  has_secret: hook.secret !== null,
  template: hook.template ?? undefined,
  options: hook.options,
  storm: stormView(hook.stormLimit),
  created_at: toRfc3339(hook.createdAt),
  last_received_at: hook.lastReceivedAt === null ? undefined : toRfc3339(hook.lastReceivedAt),
})

export const hookWithUrlView = ({ hook, token }: { hook: Hook; token: string }, publicUrl: string): HookWithUrl => ({
  ...hookView(hook),
  url: `${publicUrl}/hooks/${token}`,
})

export const hookRequestView = (request: KeptRequest): HookRequestView => ({
  number: request.number,
  received_at: toRfc3339(request.receivedAt),
  method: request.method,
  headers: request.headers,
  query: request.query,
  body: request.body.text,
  body_encoding: request.body.encoding,
  body_bytes: request.body.bytes,
  outcome: request.outcome,
})

type Previewed = Pick<HookPreview, 'result' | 'kind' | 'detail'> & {
  notifications: IncomingNotification[]
  run?: HookRun
}

export const hookPreviewView = ({ result, kind, detail, notifications, run }: Previewed): HookPreview => ({
  result,
  kind,
  detail,
  notifications: notifications.map(({ door: _, format: __, shield: ___, ...notification }) => notification),
  activity: run && { slug: run.slug, state: run.isOver ? 'ended' : 'ongoing', content: run.content },
})
