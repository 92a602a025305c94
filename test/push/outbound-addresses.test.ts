// R33: no connection to a forbidden address, for any URL and any DNS answer.
// 127.0.0.2, which the operator allows here, stands for the public Internet; 127.0.0.1 is forbidden.
import { describe, expect, onTestFinished, test } from 'vitest'
import { forbiddenUrlReason } from '../../src/domain/address-rules.ts'
import { createResolve } from '../../src/push/host-names.ts'
import { startFakeDns } from '../support/fakes/fake-dns.ts'
import { openTestOutbound, requestTo, startListener, startServer } from '../support/fakes/local-servers.ts'
import { HOSTILE_URLS } from '../support/generated/hostile-urls.ts'

const NOT_ALLOWED = { kind: 'refused', reason: 'host name leads to an address that is not allowed' }

describe('hostile URLs', () => {
  test.each(HOSTILE_URLS)('%j is refused without a connection', async (template) => {
    const listener = await startListener('::')
    const url = template.replace('PORT', String(listener.port))
    expect(forbiddenUrlReason(url, [])).toEqual(expect.any(String))
    const reply = await openTestOutbound({ allow: [] }).send(requestTo(url))
    expect(reply).toEqual({ kind: 'refused', reason: expect.stringMatching(/^URL [A-Za-z ]+$/) })
    expect(listener.connections()).toBe(0)
  })

  test.each(['localhost', 'LOCALHOST'])('%s is refused after resolution', async (host) => {
    const listener = await startListener('::')
    const url = `https://${host}:${listener.port}/`
    expect(await openTestOutbound({ allow: [] }).send(requestTo(url))).toEqual(NOT_ALLOWED)
    expect(listener.connections()).toBe(0)
  })
})

// A listener on the forbidden address, and a site on the same port of the allowed one.
async function startSite() {
  const forbidden = await startListener('127.0.0.1')
  const paths: string[] = []
  const { port } = await startServer(
    (incoming, reply) => {
      paths.push(incoming.url ?? '')
      reply.setHeader('connection', 'close').end()
    },
    { host: '127.0.0.2', port: forbidden.port },
  )
  const dns = await startFakeDns()
  onTestFinished(() => dns.close())
  const outbound = openTestOutbound({ allow: ['127.0.0.2/32'], resolve: createResolve({ servers: [dns.server] }) })
  const post = (scheme: 'http' | 'https') => outbound.send(requestTo(`${scheme}://name.test:${port}/${scheme}`))
  return { forbidden, paths, dns, post }
}

describe('host names', () => {
  test('a name is looked up once for each connection, and every answer is checked', async () => {
    const { forbidden, paths, dns, post } = await startSite()
    dns.answer('name.test', { a: ['127.0.0.2'] }, { a: ['127.0.0.1'] }, { a: ['127.0.0.2'] }, { a: ['10.0.0.1'] })
    expect(await post('http')).toMatchObject({ kind: 'answered', status: 200 })
    expect(dns.queries.toSorted()).toEqual(['A name.test', 'AAAA name.test'])
    expect(await post('http')).toEqual(NOT_ALLOWED)
    expect(await post('http')).toMatchObject({ kind: 'answered', status: 200 })
    expect(await post('https')).toEqual(NOT_ALLOWED)
    expect(dns.queries).toHaveLength(8)
    expect(paths).toEqual(['/http', '/http'])
    expect(forbidden.connections()).toBe(0)
  })

  test.each([
    ['loopback', { a: ['127.0.0.1'] }],
    ['an allowed and a forbidden address', { a: ['127.0.0.2', '127.0.0.1'] }],
    ['a forbidden and an allowed address', { a: ['127.0.0.1', '127.0.0.2'] }],
    ['an allowed IPv4 and a forbidden IPv6 address', { a: ['127.0.0.2'], aaaa: ['::1'] }],
    ['an alias of localhost', { cname: 'localhost', a: ['127.0.0.1'] }],
    ['a mapped address', { aaaa: ['::ffff:127.0.0.1'] }],
    ['a NAT64 address', { aaaa: ['64:ff9b::7f00:1'] }],
    ['a metadata address', { a: ['169.254.169.254'] }],
    ['the unspecified address', { a: ['0.0.0.0'] }],
  ])('a name that resolves to %s is refused, without any connection', async (_what, answer) => {
    const { forbidden, paths, dns, post } = await startSite()
    dns.answer('name.test', answer)
    expect(await post('http')).toEqual(NOT_ALLOWED)
    expect(await post('https')).toEqual(NOT_ALLOWED)
    expect(dns.queries).toContain('A name.test')
    expect(paths).toEqual([])
    expect(forbidden.connections()).toBe(0)
  })

  test('a name with a public address is refused over plain http', async () => {
    const { dns, post } = await startSite()
    dns.answer('name.test', { a: ['93.184.216.34'] })
    expect(await post('http')).toEqual(NOT_ALLOWED)
  })

  test('a name that does not exist or has no address is a failure, not a refusal', async () => {
    const { dns, post } = await startSite()
    expect(await post('https')).toEqual({ kind: 'failed', reason: 'host name cannot be resolved' })
    dns.answer('name.test', {})
    expect(await post('https')).toEqual({ kind: 'failed', reason: 'host name cannot be resolved' })
  })
})
