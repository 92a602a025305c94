// The command line and the clients that the server hands out at /clients/.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { INSTALL } from '../../../src/contract/clients.ts'
import { VERSION } from '../../../src/runtime/version.ts'
import { useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const app = useTestApp()
const FILES = {
  'heliograph-cli.tgz': 'application/gzip',
  'heliograph-client.tgz': 'application/gzip',
  [`heliograph-${VERSION}-py3-none-any.whl`]: 'application/zip',
  'heliograph.sh': 'text/plain; charset=utf-8',
}

describe('GET /clients/', () => {
  test('200 without a token: the commands that install each client, with the address that the request came to', async () => {
    const { status, headers, text } = await app.get('/clients/')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    for (const command of Object.values(INSTALL)) {
      for (const line of command(app.url, VERSION).split('\n')) expect(text).toContain(`\n  ${line}\n`)
    }
  })

  test('301 without the last slash', async () => {
    const { status, headers } = await app.get('/clients')
    expect([status, headers.get('location')]).toEqual([301, '/clients/'])
  })
})

describe('GET /clients/*', () => {
  test('200 each file with its checksum in SHA256SUMS, revalidated by its ETag', async () => {
    const sums = (await app.get('/clients/SHA256SUMS')).text
    expect(
      sums
        .trim()
        .split('\n')
        .map((line) => line.split('  ')[1]),
    ).toEqual(Object.keys(FILES))
    for (const [file, type] of Object.entries(FILES)) {
      const answer = await fetch(`${app.url}/clients/${file}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect([file, answer.status, answer.headers.get('content-type')]).toEqual([file, 200, type])
      expect(sums).toContain(`${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`)
      const again = await fetch(answer.url, { headers: { 'if-none-match': String(answer.headers.get('etag')) } })
      expect([answer.headers.get('cache-control'), again.status]).toEqual(['no-cache', 304])
    }
  })

  test.each(['heliograph', '..%2Fmain.js', 'heliograph-0.0.1-py3-none-any.whl'])('404 for %s', async (path) => {
    expectProblem(await app.get(`/clients/${path}`), 404, 'route.not_found')
  })
})
