// The databases that servers find when they start: accounts, their devices, and inboxes of any size.
import { join } from 'node:path'
import { openContext } from '../dist/app.js'
import { QUOTAS } from '../dist/contract/limits.js'
import { addUser } from '../dist/operations/accounts.js'
import { authenticate } from '../dist/operations/authenticate.js'
import { registerDevice } from '../dist/operations/devices.js'
import { loadConfig } from '../dist/runtime/config.js'
import { loadSqlite } from '../dist/store/sqlite-module.js'
import { makeFolder, removeFolder } from './servers.mjs'

// With `apns`, each account has one device there.
export async function prepareHome({ accounts = 1, apns, databaseUrl } = {}) {
  const folder = makeFolder('home')
  const settings = { dataDir: folder, databaseUrl, logLevel: 'silent' }
  const { ctx, stop } = await openContext(loadConfig(settings, {}, join(folder, 'heliograph.config.json')))
  const names = Array.from({ length: accounts }, (_, n) => `user${n}`)
  const added = await Promise.all(names.map((name) => addAccount(ctx, name, apns))).finally(stop)
  return {
    folder,
    keys: added.map((account) => account.defaultKey),
    tokens: added.map((account) => account.token),
    userIds: added.map((account) => account.user.id),
    environment: {
      HELIOGRAPH_DATA_DIR: folder,
      HELIOGRAPH_PORT: '0',
      HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
      ...(databaseUrl && { HELIOGRAPH_DATABASE_URL: databaseUrl }),
      ...apns?.environment,
    },
    stop: () => removeFolder(folder),
  }
}

async function addAccount(ctx, name, apns) {
  const account = await addUser(ctx, name, 'paid')
  if (!apns) return account
  const caller = await authenticate(ctx, account.token)
  const address = { device_token: `token-of-${account.user.id}`, environment: 'production' }
  await registerDevice(ctx, caller, 'phone', { name: 'Phone', platform: 'ios', apns: address })
  return account
}

// More pushes a second than any server here can make.
const MOST_PUSHES_PER_SECOND = 10_000

// An account may push only so often a day; together these may push for as long as the benchmark takes.
export function accountsToPushFor(seconds, connections) {
  const pushes = MOST_PUSHES_PER_SECOND * seconds
  return Math.max(connections, Math.ceil(pushes / QUOTAS.paid.notifications.limit))
}

const BATCH = 50_000
const DAYS_BACK = 60

// Written past the rules, a million takes long enough as it is. Three of four are read.
export function fillInbox({ folder, userIds: [userId] }, count) {
  const file = openFile(folder)
  file.exec('pragma synchronous = off')
  const insert = file.prepare(`with recursive numbers (n) as
      (select ? union all select n + 1 from numbers where n < ?)
    insert into notifications (user_id, level, content, thread_id, source, search_text, pushed, created_at, read_at)
    select ?, 'active', json_object('title', 'Build ' || n || ' passed', 'body', 'All 1,208 checks passed.'), 'ci', 'ci',
      'build ' || n || ' passed' || char(10) || 'all 1,208 checks passed.', 0, ? + n * ?,
      case when n % 4 = 0 then null else ? + n * ? end
    from numbers`)
  const apartMs = Math.floor((DAYS_BACK * 86_400_000) / count)
  const firstMs = Date.now() - count * apartMs
  for (let from = 1; from <= count; from += BATCH) {
    const to = Math.min(from + BATCH - 1, count)
    insert.run(from, to, userId, firstMs, apartMs, firstMs, apartMs)
  }
  const unread = Math.floor(count / 4)
  file.prepare('delete from feeds where user_id = ?').run(userId)
  file.prepare('insert into feeds (user_id, last_event, unread) values (?, ?, ?)').run(userId, count, unread)
  file.close()
}

export function countOpenWaits({ folder }) {
  const file = openFile(folder)
  const { count } = file.prepare('select count(*) as count from open_waits').get()
  file.close()
  return count
}

function openFile(folder) {
  const { DatabaseSync } = loadSqlite()
  const file = new DatabaseSync(join(folder, 'heliograph.db'))
  file.exec('pragma busy_timeout = 5000')
  return file
}
