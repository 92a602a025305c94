// The most expensive known requests to the doors of Bark and UnifiedPush and to files, for bench/hostile.mjs. The attacker has a
// phone with the Bark app, whose pushes are encrypted.
import { randomBytes } from 'node:crypto'

// Adds that phone.
export async function addEncryptedPhone(url, token) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ kind: 'bark', name: 'iPhone', encrypt: true })
  const added = await fetch(`${url}/devices/apps`, { method: 'POST', headers, body })
  const { server_url: address } = await added.json()
  const registered = await fetch(`${url}${new URL(address).pathname}/register?devicetoken=${'ab'.repeat(32)}&key=`)
  const { code } = await registered.json()
  if (code !== 200) throw new Error(`registering a phone was answered ${code}`)
}

const ALMOST_1_MB = 1_000_000
const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const PARTS = 'multipart/form-data; boundary=x'

export function doorAttacks(key) {
  const post = (path, type, body, headers = '') => ({
    head: `POST ${path} HTTP/1.1\r\ncontent-type: ${type}${headers}`,
    body,
  })
  const get = (path) => ({ head: `GET ${path} HTTP/1.1` })
  const push = (message) => post('/bark/push', JSON_TYPE, JSON.stringify({ device_key: key, ...message }))
  const many = (count, entry) => Array.from({ length: count }, (_, n) => entry(n))
  const members = Object.fromEntries(many(20_000, (n) => [`k${n}`, n + 0.5]))
  const asKey = `\r\nauthorization: Bearer ${key}`
  const part = (disposition, content) => `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
  const notification = part('name="notification"', '{"title":"t","body":"b","push":false}')
  return [
    { name: 'bark: 20,000 members', requests: [push({ title: 't', all: members })] },
    { name: 'bark: 90,000 members', requests: [push(Object.fromEntries(many(90_000, (n) => [`k${n}`, 1])))] },
    { name: 'bark: a text of 900 KB', requests: [push({ title: 't', body: '€'.repeat(300_000) })] },
    { name: 'bark: Markdown of 900 KB', requests: [push({ title: 't', markdown: '[*_`('.repeat(180_000) })] },
    { name: 'bark: a group of 900 KB', requests: [push({ title: 't', body: 'b', group: '-ä'.repeat(300_000) })] },
    {
      name: 'bark: a batch of 100 unknown keys',
      requests: [push({ body: 'b', device_keys: many(100, (n) => `unknown${n}`) })],
    },
    { name: 'bark: a batch of the same key', requests: [push({ body: 'b', device_keys: many(100, () => key) })] },
    { name: 'bark: 80,000 keys', requests: [push({ device_keys: many(80_000, (n) => `key${n}`) })] },
    { name: 'bark: 250,000 fields of a form', requests: [post(`/bark/${key}`, FORM, 'a=b&'.repeat(ALMOST_1_MB / 4))] },
    {
      name: 'bark: a form in parts',
      requests: [post(`/bark/${key}`, PARTS, `${part('name="a"', 'b').repeat(900)}--x--\r\n`)],
    },
    {
      name: 'bark: a batch with everything that is shortened',
      requests: [
        push({
          device_keys: many(100, () => key),
          title: '€'.repeat(256),
          body: '"'.repeat(4096),
          markdown: '[*_`('.repeat(800),
          ...Object.fromEntries(many(90, (n) => [`k${n}`, 'v'.repeat(70)])),
        }),
      ],
    },
    { name: 'bark: deep JSON', requests: [post('/bark/push', JSON_TYPE, '{"a":'.repeat(160_000))] },
    {
      name: 'bark: deep JSON that is closed',
      requests: [post('/bark/push', JSON_TYPE, `{"device_key":"${key}","a":${'['.repeat(9000)}${']'.repeat(9000)}}`)],
    },
    { name: 'bark: one text of 990 KB with escapes', requests: [push({ title: 't', body: '"\\\n'.repeat(160_000) })] },
    { name: 'bark: a ciphertext of 990 KB', requests: [push({ ciphertext: 'QUJD'.repeat(245_000), iv: '1' })] },
    { name: 'bark: 490,000 commas as keys', requests: [push({ device_keys: 'a,'.repeat(490_000), body: 'b' })] },
    { name: 'bark: escapes in a form', requests: [post(`/bark/${key}`, FORM, `body=${'%E2%82%AC'.repeat(110_000)}`)] },
    {
      name: 'bark: malformed escapes in a form',
      requests: [post(`/bark/${key}`, FORM, `body=${'%E2%zz'.repeat(160_000)}`)],
    },
    { name: 'bark: plus signs in a form', requests: [post(`/bark/${key}`, FORM, `body=${'+'.repeat(990_000)}`)] },
    {
      name: 'bark: long paths',
      requests: [
        ...['%2F', '%E2%82%AC', '%zz', '+', '%2525'].map((part) =>
          get(`/bark/${key}/${part.repeat(7000 / part.length)}`),
        ),
        get(`/bark/${key}${'/a'.repeat(3500)}`),
        get(`/bark/${'/'.repeat(7000)}${key}/b`),
      ],
    },
    {
      name: 'bark: long queries',
      requests: [
        get(`/bark/${key}/b?${'a=b&'.repeat(1700)}`),
        get(`/bark/${key}/b?${many(99, (n) => `n${n}=${'%E2%82%AC'.repeat(7)}`).join('&')}`),
        get(`/bark/${key}/b?group=${'%E2%zz'.repeat(1100)}`),
      ],
    },
    {
      name: 'bark: parts with headers of 8 KB',
      requests: [
        post(`/bark/${key}`, PARTS, `${part(`name="a"; x="${'\\"'.repeat(3900)}"`, 'b').repeat(99)}--x--\r\n`),
      ],
    },
    {
      name: 'bark: boundaries that are almost one',
      requests: [post(`/bark/${key}`, PARTS, `${part('name="body"', '\r\n--'.repeat(ALMOST_1_MB / 4))}--x--\r\n`)],
    },
    {
      name: 'bark: deletions of an id with many messages',
      requests: [push({ body: 'b', id: 'many' }), push({ body: 'b', id: 'many' }), push({ delete: '1', id: 'many' })],
    },
    {
      name: 'bark: registrations with unknown codes',
      requests: [{ head: `GET /bark/p-2222222222222222222222/register?devicetoken=${'ab'.repeat(32)}&key= HTTP/1.1` }],
    },
    {
      name: 'unifiedpush: unknown names',
      requests: many(50, (n) =>
        post(`/ntfy/up${String(n).padStart(12, '0')}`, 'text/plain', randomBytes(2048).toString('hex')),
      ),
    },
    {
      name: 'unifiedpush: bodies of 1 MB',
      requests: [post('/ntfy/up000000000000', 'application/octet-stream', 'x'.repeat(ALMOST_1_MB))],
    },
    {
      name: 'unifiedpush: signatures that are wrong',
      requests: [
        post('/ntfy/up000000000000', 'text/plain', 'x', `\r\nttl: 60\r\nauthorization: vapid ${wrongVapid()}`),
      ],
    },
    {
      name: 'unifiedpush: devices of Matrix',
      requests: [
        post(
          '/_matrix/push/v1/notify',
          'application/json',
          JSON.stringify({ notification: { devices: many(150, () => ({ pushkey: 'https://x/up0' })) } }),
        ),
      ],
    },
    {
      name: 'unifiedpush: 1,000 names asked for',
      requests: [
        {
          head: `GET /ntfy/${many(1000, (n) => `up${String(n).padStart(12, '0')}`).join(',')}/json?poll=1 HTTP/1.1${asKey}`,
        },
      ],
    },
    {
      name: 'files: a form of 900 parts',
      requests: [
        post(
          '/notifications',
          PARTS,
          `${notification}${part('name="file"; filename="a"', 'b').repeat(900)}--x--\r\n`,
          asKey,
        ),
      ],
    },
    {
      name: 'files: a notification of 990 KB in a form',
      requests: [
        post(
          '/notifications',
          PARTS,
          `${part('name="notification"', `{"a":"${'\\u0000'.repeat(160_000)}"}`)}--x--\r\n`,
          asKey,
        ),
      ],
    },
    {
      name: 'files: parts with headers of 8 KB',
      requests: [
        post(
          '/notifications',
          PARTS,
          `${notification}${part(`name="file"; filename*=utf-8''${'%E2%82'.repeat(1300)}`, 'b').repeat(99)}--x--\r\n`,
          asKey,
        ),
      ],
    },
    {
      name: 'files: boundaries that are almost one',
      requests: [
        post(
          '/notifications',
          PARTS,
          `${notification}${part('name="file"; filename="a"', '\r\n--'.repeat(ALMOST_1_MB / 4))}--x--\r\n`,
          asKey,
        ),
      ],
    },
    {
      name: 'files: 10 MB',
      requests: [post('/files?name=large.bin', 'application/octet-stream', 'x'.repeat(10 * ALMOST_1_MB), asKey)],
    },
    {
      name: 'files: a long name',
      requests: [post(`/files?name=${'%2E%2F'.repeat(2000)}`, 'text/plain', 'x', asKey)],
    },
  ]
}

function wrongVapid() {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = [
    part({ alg: 'ES256' }),
    part({ aud: 'https://x.example', exp: 1 }),
    randomBytes(64).toString('base64url'),
  ]
  return `t=${token.join('.')}, k=${Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url')}`
}
