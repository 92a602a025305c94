// The files of the console: which are cached, which are revalidated, and which do not exist.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const app = useTestApp()
const html = async () => (await app.get('/app/')).text

describe('GET /app/*', () => {
  test('200 the document, revalidated each time, for every page of the console', async () => {
    const document = await html()
    for (const path of ['/app/', '/app/keys', '/app/n/7', '/app/no-such-page']) {
      const { status, headers, text } = await app.get(path)
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-cache'])
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(text).toBe(document)
    }
    expect(document).toContain('<div id="app">')
    expect(document).not.toMatch(/<script>|<style|style=|\son\w+=|https?:/)
  })

  test('200 files with a hash in their name are cached for ever', async () => {
    const paths = [...(await html()).matchAll(/"(\/app\/assets\/[^"]+)"/g)].map(([, path]) => String(path))
    expect(paths.map((path) => path.split('.').at(-1)).sort()).toEqual(['css', 'js'])
    for (const path of paths) {
      const { status, headers } = await app.get(path)
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  test('200 the service worker is revalidated, and its scope is /app/', async () => {
    const { status, headers } = await app.get('/app/service-worker.js')
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test('200 the manifest makes the console installable: a name, a start URL, and icons that exist', async () => {
    const { headers, text } = await app.get('/app/manifest.webmanifest')
    expect(headers.get('content-type')).toContain('application/manifest+json')
    const manifest = JSON.parse(text)
    expect(manifest).toMatchObject({ name: 'Heliograph', start_url: '/app/', display: 'standalone' })
    const types = await Promise.all(
      manifest.icons.map(async ({ src }: { src: string }) => (await app.get(src)).headers.get('content-type')),
    )
    expect(types).toEqual(['image/svg+xml', 'image/png', 'image/png', 'image/png'])
  })

  test('200 compressed if the browser accepts it', async () => {
    const compressed = await app.call('GET', '/app/service-worker.js', { headers: { 'accept-encoding': 'gzip' } })
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    const plain = await app.call('GET', '/app/service-worker.js', { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.text).toBe(compressed.text)
  })

  test('301 without the slash at the end', async () => {
    const { status, headers } = await app.get('/app')
    expect([status, headers.get('location')]).toEqual([301, '/app/'])
  })

  test.each([
    '/app/assets/none.js',
    '/app/../package.json',
    '/app/%2e%2e/main.js',
    '/app/..%2fmain.js',
    '/app/assets/',
  ])('404 route.not_found or the document, but never a file from elsewhere: %s', async (path) => {
    const answer = await app.get(path)
    if (answer.status === 200) expect(answer.text).toBe(await html())
    else expectProblem(answer, 404, 'route.not_found')
  })

  test('405 route.method_not_allowed for other methods than GET', async () => {
    expectProblem(await app.post('/app/', {}), 405, 'route.method_not_allowed')
  })
})
