// The draft, and the requests that store it. The same requests are validated, sent and shown as curl.
import type { Target } from '../../../src/contract/organizations/target.ts'
import { type Content, isObject } from './fields/document.ts'

export type Settings = Record<string, number | undefined>
export type Draft = {
  slug: string
  name: string
  content: Content
  settings: Settings
  isOngoing: boolean
  // The id of an activity of another account, which the draft changes.
  sharedId?: string
  // Who of an organization is reached by its activity; undefined for everyone.
  target?: Target
}

export type ApiRequest = { method: 'POST' | 'PATCH'; path: string; body: object }

// POST replaces the whole widget, so removed members need no null.
export function widgetRequests({ slug, name, content, settings }: Draft): ApiRequest[] {
  return [{ method: 'POST', path: '/widgets', body: { slug, name, ...definedOnly(settings), content } }]
}

// POST sets the name of an activity; PATCH sets its content, with null for removed members.
// An editor of a shared activity changes all that PATCH changes, which is not the name.
// `collection`: those of the account, or of an organization.
export function activityRequests(draft: Draft, before: Content, collection = '/activities'): ApiRequest[] {
  const { slug, name, content, settings, isOngoing, sharedId, target } = draft
  const patch = { ...(isOngoing && { state: 'ongoing' }), content: patchBetween(before, content) }
  if (sharedId) {
    return [{ method: 'PATCH', path: `/activities/${sharedId}`, body: { ...definedOnly(settings), ...patch } }]
  }
  return [
    { method: 'POST', path: collection, body: { slug, name, ...definedOnly(settings), ...(target && { target }) } },
    { method: 'PATCH', path: `${collection}/${encodeURIComponent(slug)}?upsert=true`, body: patch },
  ]
}

const definedOnly = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))

// The RFC 7396 merge patch that turns one document into the other.
export function patchBetween(before: Content, after: Content): Content {
  const patch: Content = {}
  for (const member of Object.keys(before)) if (!Object.hasOwn(after, member)) patch[member] = null
  for (const [member, value] of Object.entries(after)) {
    const old = before[member]
    if (JSON.stringify(old) === JSON.stringify(value)) continue
    patch[member] = isObject(old) && isObject(value) ? patchBetween(old, value) : value
  }
  return patch
}

export function asDryRun({ method, path, body }: ApiRequest): ApiRequest {
  return { method, path: `${path}${path.includes('?') ? '&' : '?'}dry_run=true`, body }
}

// Quoted for a shell: inside single quotes only the single quote must be escaped.
export function asCurl(requests: ApiRequest[], origin: string): string {
  return requests
    .map(({ method, path, body }) =>
      [
        `curl -X ${method} '${origin}${path}'`,
        `  -H "Authorization: Bearer $HELIOGRAPH_KEY"`,
        `  -H 'Content-Type: application/json'`,
        `  -d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`,
      ].join(' \\\n'),
    )
    .join('\n\n')
}
