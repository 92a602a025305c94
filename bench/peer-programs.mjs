// Other services that `npm run bench -- --peers` starts, one entry each: how it is started in each setting, how a message is sent
// and how the stored ones are listed. Their facts are those of their documentation and source; each takes one topic, application or
// device, needs no limit of requests, and gets the texts of the same message.
import { MESSAGE } from './examples.mjs'

const JSON_TYPE = 'application/json'
const ADMIN = { name: 'admin', password: 'bench-password' }
const asAdmin = { authorization: `Basic ${btoa(`${ADMIN.name}:${ADMIN.password}`)}` }

export const PEERS = {
  // `cache-file` alone writes each message with SQLite's default, a rollback journal that is synced before the answer. A pragma in
  // `cache-startup-queries` would hold for the first of its connections only.
  ntfy: {
    settings: [
      { name: 'ntfy, cache-file', isDurable: true, args: ['--cache-file', 'cache.db'] },
      { name: 'ntfy, default', isDurable: false, args: [], note: 'keeps messages in memory' },
      {
        name: 'ntfy, batches',
        isDurable: false,
        args: ['--cache-file', 'cache.db', '--cache-batch-size', '500', '--cache-batch-timeout', '1s'],
        note: 'answers before it writes',
      },
    ],
    // Instead of /etc/ntfy/server.yml.
    files: { 'server.yml': 'log-level: info\n' },
    args: (port) => [
      ...['serve', '--config', 'server.yml', '--listen-http', `127.0.0.1:${port}`],
      ...['--visitor-request-limit-exempt-hosts', '127.0.0.1'],
    ],
    environment: () => ({}),
    ready: '/v1/health',
    createKey: () => 'bench',
    request: {
      method: 'POST',
      path: '/',
      type: JSON_TYPE,
      credentials: () => ({}),
      bodyFor: (topic, title = MESSAGE.title) =>
        JSON.stringify({ topic, title, message: MESSAGE.body, click: MESSAGE.url, tags: [MESSAGE.source] }),
    },
    async listTitles({ url }, topic) {
      const text = await ask('GET', `${url}/${topic}/json?poll=1&since=all`)
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).title)
    },
  },

  // Options of go-sqlite3 in the name of the file hold for every connection.
  gotify: {
    settings: [
      { name: 'Gotify, WAL and FULL', isDurable: true, database: 'data/gotify.db?_journal_mode=WAL&_synchronous=FULL' },
      {
        name: 'Gotify, default',
        isDurable: false,
        database: 'data/gotify.db',
        note: 'what it syncs depends on its version',
      },
    ],
    args: () => [],
    environment: (port, { database }) => ({
      GOTIFY_SERVER_LISTENADDR: '127.0.0.1',
      GOTIFY_SERVER_PORT: String(port),
      GOTIFY_DATABASE_DIALECT: 'sqlite3',
      GOTIFY_DATABASE_CONNECTION: database,
      GOTIFY_DEFAULTUSER_NAME: ADMIN.name,
      GOTIFY_DEFAULTUSER_PASS: ADMIN.password,
    }),
    ready: '/health',
    async createKey({ url }) {
      const body = JSON.stringify({ name: 'Bench' })
      const text = await ask('POST', `${url}/application`, { headers: { ...asAdmin, 'content-type': JSON_TYPE }, body })
      return JSON.parse(text).token
    },
    request: {
      method: 'POST',
      path: '/message',
      type: JSON_TYPE,
      credentials: (token) => ({ 'x-gotify-key': token }),
      bodyFor: (_token, title = MESSAGE.title) =>
        JSON.stringify({
          ...{ title, message: MESSAGE.body, priority: 5 },
          extras: { 'client::notification': { click: { url: MESSAGE.url } } },
        }),
    },
    async listTitles({ url }) {
      const titles = []
      for (let since = 0; ; ) {
        const text = await ask('GET', `${url}/message?limit=200&since=${since}`, { headers: asAdmin })
        const { messages, paging } = JSON.parse(text)
        titles.push(...messages.map(({ title }) => title))
        if (!paging.since) return titles
        since = paging.since
      }
    },
  },

  // It stores no messages and answers when Apple has answered, whose address is fixed. A send to an unknown device is refused before
  // that, so this is more than it can do.
  bark: {
    settings: [
      { name: 'Bark, unknown device', isDurable: false, note: 'stores nothing; refused before the push to Apple' },
    ],
    args: (port) => ['--addr', `127.0.0.1:${port}`, '--data', 'data'],
    folders: ['data'],
    environment: () => ({}),
    ready: '/ping',
    createKey: () => 'unknown-device',
    request: {
      method: 'POST',
      path: '/push',
      type: JSON_TYPE,
      status: 400,
      credentials: () => ({}),
      bodyFor: (device) =>
        JSON.stringify({
          ...{ device_key: device, title: MESSAGE.title, body: MESSAGE.body },
          ...{ group: MESSAGE.thread_id, url: MESSAGE.url },
        }),
    },
  },
}

async function ask(method, url, { headers, body } = {}) {
  const answer = await fetch(url, { method, headers, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`)
  return text
}
