// What is being built, and the requests that would store it. The same requests are checked, sent and shown as curl.

export type Content = Record<string, unknown>
export type Settings = Record<string, number | undefined>
export type Draft = { slug: string; name: string; content: Content; settings: Settings; isOngoing: boolean }

export type ApiRequest = { method: 'POST' | 'PATCH'; path: string; body: object }

// A widget is posted whole: what is not in it any more is gone.
export function widgetRequests({ slug, name, content, settings }: Draft): ApiRequest[] {
  return [{ method: 'POST', path: '/widgets', body: { slug, name, ...given(settings), content } }]
}

// An activity has its name by a POST and its content by a patch, which says with null what is gone.
export function activityRequests({ slug, name, content, settings, isOngoing }: Draft, before: Content): ApiRequest[] {
  const patch = { ...(isOngoing && { state: 'ongoing' }), content: patchBetween(before, content) }
  return [
    { method: 'POST', path: '/activities', body: { slug, name, ...given(settings) } },
    { method: 'PATCH', path: `/activities/${encodeURIComponent(slug)}?upsert=true`, body: patch },
  ]
}

const given = (settings: Settings): Settings =>
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

const isObject = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function asDryRun({ method, path, body }: ApiRequest): ApiRequest {
  return { method, path: `${path}${path.includes('?') ? '&' : '?'}dry_run=true`, body }
}

// For a shell: the body in single quotes, in which only the quote itself needs care.
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
