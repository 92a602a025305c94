// The request to a route of the API that succeeds: its path and its body, for the account of support/cast.ts or the organization of
// support/organizations/cast.ts.
import { ACTIVITY, COUNTDOWN, DEVICE, ESCALATION, HEARTBEAT, NOTIFICATION, SCHEDULE, SCREEN, WIDGET } from '../cast.ts'
import { ORG_BODIES } from '../organizations/cast.ts'

const BODIES: Record<string, unknown> = {
  'POST /screens': SCREEN,
  'PATCH /screens/{screen_id}': { name: 'T' },
  'POST /files': { any: 'content' },
  'POST /auth/link': { code: 'unknown' },
  'POST /auth/session': { code: 'unknown' },
  'POST /auth/invitation': { code: 'unknown' },
  'POST /auth/session/invitation': { code: 'unknown', name: 'Ada' },
  'POST /auth/session/requests/{request_id}': { secret: 'unknown' },
  'POST /auth/links/email': { address: 'ada@example.org' },
  'POST /auth/apple': { identity_token: 'unknown', device_id: 'phone' },
  'POST /auth/passkeys': {
    name: 'Laptop',
    credential: {
      id: 'AQ',
      rawId: 'AQ',
      type: 'public-key',
      response: { clientDataJSON: 'e30', attestationObject: 'oA' },
    },
  },
  'PATCH /auth/me': { nickname: 'N' },
  'POST /auth/requests/find': { code: '{request_code}' },
  'PUT /auth/me/quiet-hours': { timezone: 'UTC', windows: [] },
  'POST /auth/me/quiet-hours/now': { until: '2026-12-01T00:00:00Z' },
  'POST /integrations/keys': { name: 'K' },
  'PATCH /integrations/keys/{key_id}': { name: 'K2' },
  'POST /integrations/keys/{key_id}/aliases': { door: 'gotify' },
  'POST /integrations/hooks': { name: 'H', kind: 'auto' },
  'PATCH /integrations/hooks/{hook_id}': { name: 'H2' },
  'POST /heartbeats': { ...HEARTBEAT, slug: 'new' },
  'PATCH /heartbeats/{slug}': { name: 'H2' },
  'POST /escalations': { ...ESCALATION, slug: 'new' },
  'PATCH /escalations/{slug}': { name: 'E2' },
  'POST /integrations/hooks/{hook_id}/preview': { request: { message: 'M' } },
  'POST /devices/apps': { kind: 'ntfy', name: 'Pixel' },
  'PUT /devices/{device_id}': DEVICE,
  'PATCH /devices/{device_id}': { name: 'Phone 2' },
  'PATCH /devices/{device_id}/push-endpoints/{endpoint_id}': { pinned: true },
  'POST /devices/{device_id}/approve': { pending_id: 'unknown' },
  'PUT /devices/{device_id}/activities/{slug}': { push_update_token: 'abc' },
  'POST /widgets': WIDGET,
  'PATCH /widgets/{slug}': { name: 'W2' },
  'POST /activities': { ...ACTIVITY, slug: 'new' },
  'PATCH /activities/{slug}': COUNTDOWN,
  'PATCH /activity/{slug}': COUNTDOWN,
  'POST /activities/{slug}/answer': { option: 'yes' },
  'POST /shares/patterns': { slug_pattern: 'ci-*' },
  'PATCH /shares/{share_id}': { role: 'editor' },
  'POST /demo/run': { mode: 'auto' },
  'POST /notifications': NOTIFICATION,
  'POST /notifications/scheduled': SCHEDULE,
  'DELETE /notifications': { ids: [1] },
  'PUT /wall': { items: [{ slug: 'build', size: 'large' }] },
  'POST /wall/links': { name: 'Hall' },
  'PUT /notifications/{id}/snooze': { until: '2026-12-01T00:00:00Z' },
  'PUT /mutes': { source: 'other', until: '2026-12-01T00:00:00Z' },
  'PATCH /notifications/scheduled/{id}': { paused: true },
  'POST /notifications/read': { all: true },
  'POST /notifications/receipts/cancel': { tag: 't' },
  'POST /notifications/{id}/answer': { action_id: 'yes' },
  'POST /answers/{ticket}': { action_id: 'yes' },
  'POST /emails': { to: 'ada@example.org', subject: 'S', text_body: 'T' },
  'POST /emails/recipients': { address: 'ada@example.org' },
  'PATCH /emails/recipients/{recipient_id}': { sign_in: true },
}

export type RouteRequest = { method: string; path: string; body: unknown }

// `route`: the method and the path, with the names of `params` in braces.
export function requestTo(route: string, params: Record<string, string>): RouteRequest {
  const [method = '', template = ''] = route.split(' ')
  // Notifications and schedules have the same parameter name.
  const known: Record<string, string | undefined> = template.includes('/scheduled/')
    ? { ...params, id: params.schedule_id }
    : params
  return {
    method,
    path: template.replace(/\{(\w+)\}/g, (_, name) => known[name] ?? ''),
    body: bodyFor(route, params),
  }
}

function bodyFor(route: string, params: Record<string, string>): unknown {
  const { code = '', key_id = '', request_code = '' } = params
  if (route === 'POST /shares/join') return { code }
  const body = ORG_BODIES[route] ?? BODIES[route.replace(' /orgs/{org_id}', ' ')]
  return (
    body &&
    JSON.parse(
      JSON.stringify(body).replace('{code}', code).replace('{key_id}', key_id).replace('{request_code}', request_code),
    )
  )
}
