// Answers to senders of webhooks. Some compare them byte for byte, and the status decides whether a sender tries again.
import type { Problem } from '../../../contract/problems.ts'
import { type Hook, HookRefusal } from '../../../domain/hooks/hook.ts'
import type { HookOutcome } from '../../../domain/hooks/request.ts'
import { type Instant, toRfc3339 } from '../../../domain/instant.ts'

export type HookAnswer = { status: number; body: object | string | undefined }

type Answered = { outcome: HookOutcome; hook: Hook; wants: { message: boolean }; now: Instant }

export function hookAnswer({ outcome, hook, wants, now }: Answered): HookAnswer {
  // Exactly this: Alertmanager and Grafana compare it.
  if (outcome.kind === 'slack') return { status: 200, body: 'ok' }
  if (outcome.kind !== 'discord') return { status: 200, body: outcome }
  return wants.message ? { status: 200, body: discordMessage(outcome, hook, now) } : { status: 204, body: undefined }
}

const discordMessage = ({ notification_ids: [id = 0] }: HookOutcome, { id: hookId, name }: Hook, now: Instant) => ({
  id: String(id),
  type: 0,
  content: '',
  channel_id: hookId,
  webhook_id: hookId,
  author: { id: hookId, username: name, avatar: null, bot: true, discriminator: '0000' },
  attachments: [],
  embeds: [],
  mentions: [],
  mention_roles: [],
  mention_everyone: false,
  pinned: false,
  tts: false,
  flags: 0,
  components: [],
  timestamp: toRfc3339(now),
  edited_timestamp: null,
})

// What Discord tells about a webhook; Uptime Kuma asks.
export const discordHook = ({ id, name }: Hook, token: string): object => ({
  id,
  type: 1,
  name,
  avatar: null,
  channel_id: id,
  guild_id: id,
  application_id: null,
  token,
})

// A hook that is not known yet has no kind.
export function hookErrorOf(problem: Problem): { status: number; body: object | string } {
  const kind = problem instanceof HookRefusal ? problem.kind : undefined
  const { code, detail } = problem
  const status = statusOf(problem)
  if (kind === 'slack') return { status: status === 503 ? 429 : status, body: slackWord(status, detail) }
  if (kind === 'discord' && status === 503) {
    const retry_after = (problem.members.retry_after_ms ?? 60_000) / 1000
    return { status: 429, body: { message: 'You are being rate limited.', retry_after, global: false } }
  }
  if (kind === 'discord') return { status, body: { message: detail, code: 0 } }
  // The word of Slack, whose senders show it.
  if (status === 404) return { status, body: 'no_service' }
  return { status, body: { code, detail } }
}

// Alertmanager gives up after every 4xx, 429 included, and GitLab disables the hook. 503 makes them try again.
function statusOf({ problem, status }: Problem): number {
  const isTemporary = status === 429 || problem === 'idempotency.in_progress'
  if (isTemporary) return 503
  return status
}

function slackWord(status: number, detail: string): string {
  if (status === 400) return detail
  if (status === 503) return 'rate_limited'
  if (status === 401 || status === 403) return 'invalid_token'
  return status === 413 ? 'invalid_payload' : 'rollup_error'
}
