// Resolving host names: the hosts file first, then DNS without the thread pool, so that a hanging name delays no
// other.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createResolve, type HostNameOptions } from '../../src/push/host-names.ts'
import { startFakeDns } from '../support/fakes/fake-dns.ts'
import { openTestOutbound, requestTo } from '../support/fakes/local-servers.ts'

async function startNames(options: HostNameOptions = {}) {
  const dns = await startFakeDns()
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-names-'))
  onTestFinished(() => {
    dns.close()
    rmSync(folder, { recursive: true })
  })
  const [hostsFile, resolvFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  const resolve = createResolve({ servers: [dns.server], hostsFile, resolvFile, ...options })
  return { dns, resolve, hostsFile, resolvFile }
}

const IPV4 = { address: '192.0.2.1', family: 4 }
const IPV6 = { address: '2001:db8::1', family: 6 }

test('both address families are queried, and one of them is enough', async () => {
  const { dns, resolve } = await startNames()
  dns.answer('both.test', { a: ['192.0.2.1'], aaaa: ['2001:db8::1'] })
  dns.answer('old.test', { a: ['192.0.2.1'] })
  dns.answer('new.test', { aaaa: ['2001:db8::1'] })
  expect(await resolve('both.test')).toEqual([IPV4, IPV6])
  expect(await resolve('old.test')).toEqual([IPV4])
  expect(await resolve('new.test')).toEqual([IPV6])
})

test('F13 fifty hanging names delay no other name', async () => {
  const { dns, resolve } = await startNames()
  let hung = 50
  for (let i = 0; i < 50; i++) {
    dns.answer(`hung-${i}.test`, 'silence')
    resolve(`hung-${i}.test`).catch(() => hung--)
  }
  dns.answer('good.test', { a: ['192.0.2.1'] })
  expect(await resolve('good.test')).toEqual([IPV4])
  expect(hung).toBe(50)
})

test('a hanging name fails with a timeout', async () => {
  const { dns, resolve } = await startNames({ timeoutMs: 50 })
  dns.answer('hung.test', 'silence')
  await expect(resolve('hung.test')).rejects.toMatchObject({ code: expect.stringMatching(/ECANCELLED|ETIMEOUT/) })
  const reply = await openTestOutbound({ allow: [], resolve }).send(requestTo('https://hung.test/'))
  expect(reply).toEqual({ kind: 'failed', reason: 'no answer in time' })
})

test('concurrent lookups of one name share one query', async () => {
  const { dns, resolve } = await startNames()
  dns.answer('good.test', { a: ['192.0.2.1'] })
  await Promise.all(Array.from({ length: 20 }, () => resolve('good.test')))
  expect(dns.queries.toSorted()).toEqual(['A good.test', 'AAAA good.test'])
  await resolve('good.test')
  expect(dns.queries).toHaveLength(4)
})

test('the hosts file takes precedence, ignores case, and is read again when it changes', async () => {
  const { dns, resolve, hostsFile } = await startNames()
  writeFileSync(hostsFile, '# ours\n192.0.2.1 Box.test box # the box\n2001:db8::1\tbox.test\nnot-an-address x.test\n')
  expect(await resolve('BOX.test')).toEqual([IPV4, IPV6])
  expect(await resolve('box')).toEqual([IPV4])
  expect(await resolve('x.test')).toEqual([])
  writeFileSync(hostsFile, '192.0.2.9 box\n')
  utimesSync(hostsFile, 1, 1)
  expect(await resolve('box')).toEqual([{ address: '192.0.2.9', family: 4 }])
  expect(dns.queries.join()).not.toMatch(/box/)
})

test('localhost and names below it are never queried over DNS', async () => {
  const { dns, resolve } = await startNames()
  const loopback = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'app.localhost']) {
    expect(await resolve(name), name).toEqual(loopback)
  }
  expect(dns.queries).toEqual([])
})

test('names with few dots are tried in the search domains; other and fully qualified names are not', async () => {
  const { dns, resolve, resolvFile } = await startNames()
  writeFileSync(resolvFile, 'search a.test b.test\noptions ndots:2 timeout:1\n')
  dns.answer('push.b.test', { a: ['192.0.2.1'] })
  expect(await resolve('push')).toEqual([IPV4])
  expect(dns.queries.filter((query) => query.startsWith('A '))).toEqual(['A push', 'A push.a.test', 'A push.b.test'])
  dns.queries.length = 0
  expect([await resolve('push.'), await resolve('x.y.push')]).toEqual([[], []])
  expect(dns.queries.filter((query) => query.startsWith('A '))).toEqual(['A push', 'A x.y.push'])
})
