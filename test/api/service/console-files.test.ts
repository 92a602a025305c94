// The files of the console: which are cached, which are revalidated, and which do not exist.
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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
    expect(new Set(paths.map((path) => path.split('.').at(-1)))).toEqual(new Set(['css', 'js']))
    for (const path of paths) {
      const { status, headers } = await app.get(path)
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  test('200 documents and workers have the content security policy, and no other file is made larger by it', async () => {
    const files = readdirSync(fileURLToPath(new URL('../../../dist/console/assets', import.meta.url)))
    const [worker, script] = ['stream-worker', 'application'].map((name) =>
      files.find((file) => file.startsWith(name) && file.endsWith('.js')),
    )
    const policyOf = async (path: string) => (await app.get(path)).headers.get('content-security-policy')
    const restricted = ['/app/', '/app/keys', '/app/icon.svg', '/app/service-worker.js', `/workers/${worker}`]
    for (const path of restricted)
      expect([path, await policyOf(path)]).toEqual([path, expect.stringMatching(/^default-src 'none'/)])
    for (const path of [`/app/assets/${script}`, '/app/icon-192.png'])
      expect([path, await policyOf(path)]).toEqual([path, null])
  })

  test('200 the service worker is revalidated, and its scope is /app/', async () => {
    const { status, headers } = await app.get('/app/service-worker.js')
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test('200 the manifest makes the console installable: a name, a start URL, and pictures that exist', async () => {
    const { headers, text } = await app.get('/app/manifest.webmanifest')
    expect(headers.get('content-type')).toContain('application/manifest+json')
    const manifest = JSON.parse(text)
    expect(manifest).toMatchObject({ name: 'Heliograph', start_url: '/app/', display: 'standalone' })
    expect(manifest.share_target.action).toBe('/app/new')
    for (const { url } of manifest.shortcuts) expect((await app.get(url)).text).toBe(await html())
    expect(manifest.shortcuts).toHaveLength(3)
    const pictures = [...manifest.icons, ...manifest.screenshots]
    const types = await Promise.all(
      pictures.map(async ({ src }: { src: string }) => (await app.get(src)).headers.get('content-type')),
    )
    expect(types).toEqual(['image/svg+xml', ...Array(5).fill('image/png')])
    for (const { src, sizes } of manifest.screenshots) {
      const png = Buffer.from(await (await fetch(app.url + src)).arrayBuffer())
      expect([src, `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`]).toEqual([src, sizes])
    }
  })

  test('200 in the best variant that the browser accepts, made by the build', async () => {
    const path = '/app/service-worker.js'
    const plain = await app.call('GET', path, { headers: { 'accept-encoding': 'identity' } })
    const built = fileURLToPath(new URL('../../../dist/console/service-worker.js', import.meta.url))
    for (const [encoding, variant] of [
      ['br', '.br'],
      ['gzip', '.gz'],
    ] as const) {
      const { headers, text } = await app.call('GET', path, { headers: { 'accept-encoding': encoding } })
      expect([headers.get('content-encoding'), text === plain.text]).toEqual([encoding, true])
      expect(Number(headers.get('content-length'))).toBe(statSync(built + variant).size)
      expect(headers.get('vary')).toContain('accept-encoding')
    }
    const { headers } = await app.call('GET', path, { headers: { 'accept-encoding': 'gzip, br' } })
    expect(headers.get('content-encoding')).toBe('br')
  })

  test.each(['/app/', '/app/keys', '/app/service-worker.js', '/app/manifest.webmanifest'])(
    '304 %s for a browser that has it, 200 for one that has another version',
    async (path) => {
      const etag = (await app.get(path)).headers.get('etag') as string
      const again = await fetch(app.url + path, { headers: { 'if-none-match': etag } })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
      expect(again.headers.get('cache-control')).toBe('no-cache')
      const other = await app.call('GET', path, { headers: { 'if-none-match': 'W/"other"' } })
      expect(other.status).toBe(200)
    },
  )

  test('200 HEAD has the headers of GET, and no body', async () => {
    const get = await app.get('/app/service-worker.js')
    const head = await app.call('HEAD', '/app/service-worker.js')
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', get.headers.get('etag')])
  })

  test('404 the compressed variants have no address of their own', async () => {
    expectProblem(await app.get('/app/service-worker.js.br'), 404, 'route.not_found')
    expectProblem(await app.get('/app/index.html.gz'), 404, 'route.not_found')
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
