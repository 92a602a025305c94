// CORS: no other origin by default, and the origins that the operator configures.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'

const ORIGIN = 'https://dashboard.example.org'
const closed = useTestApp()
const open = useTestApp({ HELIOGRAPH_CORS_ORIGINS: ORIGIN })

function preflight(app: typeof open, origin: string, method: string) {
  return app.call('OPTIONS', '/widgets/w', {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization, content-type',
    },
  })
}

describe('without HELIOGRAPH_CORS_ORIGINS', () => {
  test('no origin is allowed', async () => {
    const answer = await closed.call('GET', '/health', { headers: { origin: ORIGIN } })
    expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    const asked = await preflight(closed, ORIGIN, 'PATCH')
    expect([asked.status, asked.headers.has('access-control-allow-origin')]).toEqual([405, false])
  })
})

const CLIENT_HEADERS = ['x-request-id', 'x-resource-action', 'retry-after', 'ratelimit', 'ratelimit-policy']

describe('with HELIOGRAPH_CORS_ORIGINS', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'a preflight for %s is allowed to the origin',
    async (method) => {
      const { status, headers } = await preflight(open, ORIGIN, method)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN)
      expect(headers.get('access-control-allow-methods')?.split(/,\s*/)).toContain(method)
      expect(headers.get('access-control-allow-headers')).toMatch(/authorization/i)
      // Not asked for again with every request.
      expect(headers.get('access-control-max-age')).toBe('600')
    },
  )

  test('answers and refusals can be read, with the headers that clients use', async () => {
    for (const path of ['/health', '/widgets']) {
      const { headers } = await open.call('GET', path, { headers: { origin: ORIGIN } })
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN)
      const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(/,\s*/)
      expect(exposed).toEqual(expect.arrayContaining(CLIENT_HEADERS))
    }
  })

  test('another origin is not allowed', async () => {
    const { headers } = await open.call('GET', '/health', { headers: { origin: 'https://evil.example' } })
    expect(['https://evil.example', '*']).not.toContain(headers.get('access-control-allow-origin'))
  })
})
