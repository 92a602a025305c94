// Prepares the databases that servers start on: accounts, their devices, and inboxes of any size.
import { join } from 'node:path'
import { openContext } from '../src/boot/context.ts'
import { QUOTAS } from '../src/contract/limits.ts'
import { addUser } from '../src/operations/accounts/accounts.ts'
import { authenticate, readCredentials } from '../src/operations/authenticate.ts'
import { registerDevice } from '../src/operations/devices.ts'
import { createOrganizationKey, createOrganizationOf, requirePerson } from '../src/operations/organizations/operate.ts'
import { loadConfig } from '../src/runtime/config.ts'
import { sql } from '../src/store/engine/sql.ts'
import { loadSqlite } from '../src/store/engine/sqlite/connection.ts'
import { makeFolder, removeFolder } from './servers.mjs'

// With `apns`, each account has one device.
export async function prepareHome({ accounts = 1, apns, databaseUrl } = {}) {
  const folder = makeFolder('home')
  const values = { dataDir: folder, databaseUrl, logLevel: 'silent' }
  const settings = loadConfig(values, {}, join(folder, 'heliograph.config.json'))
  const { ctx, stop } = await openContext(settings)
  const names = Array.from({ length: accounts }, (_, n) => `user${n}`)
  const added = await addAccounts(ctx, names, apns).finally(stop)
  return {
    folder,
    settings,
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

// So many that they share transactions on SQLite, and so few that none waits too long for a connection to PostgreSQL.
const ADDED_AT_ONCE = 20

async function addAccounts(ctx, names, apns) {
  const added = []
  for (let from = 0; from < names.length; from += ADDED_AT_ONCE) {
    const some = names.slice(from, from + ADDED_AT_ONCE)
    added.push(...(await Promise.all(some.map((name) => addAccount(ctx, name, apns)))))
  }
  return added
}

async function addAccount(ctx, name, apns) {
  const account = await addUser(ctx, name, 'paid')
  if (!apns) return account
  const caller = await authenticate(ctx, readCredentials(account.token))
  const address = { device_token: `token-of-${account.user.id}`, environment: 'production' }
  await registerDevice(ctx, caller, 'phone', { name: 'Phone', platform: 'ios', apns: address })
  return account
}

// More pushes per second than any server here can send.
const MOST_PUSHES_PER_SECOND = 10_000

// The daily quota limits the pushes of an account; this many accounts are enough for the whole benchmark.
export function accountsToPushFor(seconds, connections) {
  const pushes = MOST_PUSHES_PER_SECOND * seconds
  return Math.max(connections, Math.ceil(pushes / QUOTAS.paid.notifications.limit))
}

const BATCH = 20_000
const DAYS_BACK = 60

// Writes directly to the database, because a million sends would take too long. Three of four entries are read. With
// `large`, each entry has about 90 KB, of which searches scan 17 KB.
export async function fillInbox({ settings, userIds: [userId] }, count, { large = false } = {}) {
  const { ctx, stop } = await openContext(settings)
  try {
    for (let from = 1; from <= count; from += large ? 200 : BATCH) {
      const to = Math.min(from + (large ? 200 : BATCH) - 1, count)
      await ctx.db.transact((tx) => insertEntries(tx, userId, { from, to, count, large }))
    }
    const unread = Math.floor(count / 4)
    await ctx.db.transact(async (tx) => {
      await tx.execute(sql`delete from feeds where user_id = ${userId}`)
      await tx.execute(sql`insert into feeds (user_id, last_event, unread, inbox_bytes) values (${userId}, ${count}, ${unread},
        (select cast(sum(bytes) as bigint) from notifications where user_id = ${userId}))`)
    })
  } finally {
    await stop()
  }
}

async function insertEntries(tx, userId, { from, to, count, large }) {
  const apartMs = Math.floor((DAYS_BACK * 86_400_000) / count)
  const firstMs = Date.now() - count * apartMs
  const metadata = large ? JSON.stringify({ text: 'm'.repeat(70_000) }) : '{}'
  const body = large ? 'lorem ipsum '.repeat(700) : 'All 1,208 checks passed.'
  const bytes = metadata.length + body.length * 2 + 80
  const before = (await tx.first(sql`select coalesce(max(id), 0) as id from notifications`)).id
  await tx.execute(sql`with recursive numbers (n) as
      (select cast(${from} as bigint) union all select n + 1 from numbers where n < cast(${to} as bigint))
    insert into notifications (user_id, level, thread_id, source, pushed, bytes, created_at, read_at)
    select ${userId}, 'active', 'ci', 'ci', 0, ${bytes}, cast(${firstMs} as bigint) + n * cast(${apartMs} as bigint),
      case when n % 4 = 0 then null else cast(${firstMs} as bigint) + n * cast(${apartMs} as bigint) end
    from numbers order by n`)
  await tx.execute(sql`insert into notification_contents (notification_id, search_text, content)
    select id, 'build ' || id || ' passed ' || ${body}, '{"title":"Build ' || id || ' passed","body":"' || ${body}
      || '","metadata":' || ${metadata} || '}'
    from notifications where user_id = ${userId} and id > ${before}`)
}

// An organization of the first account with so many members, and an unlimited key of it. Members have neither tokens nor
// devices.
export async function fillOrganization({ settings, userIds: [ownerId] }, members) {
  const { ctx, stop } = await openContext(settings)
  try {
    const org = await createOrganizationOf(ctx, await requirePerson(ctx, ownerId), { name: 'Bench', plan: 'paid' })
    await ctx.db.transact((tx) => insertMembers(tx, org.id, members - 1))
    const terms = { name: 'K', permissions: { notifications: 'send' }, groups: [], tags: [], members: [] }
    return { key: (await createOrganizationKey(ctx, org, terms)).secret }
  } finally {
    await stop()
  }
}

async function insertMembers(tx, orgId, count) {
  const nowMs = Date.now()
  await tx.execute(sql`with recursive numbers (n) as
      (select cast(1 as bigint) union all select n + 1 from numbers where n < cast(${count} as bigint))
    insert into users (id, name, nickname, plan, created_at)
    select 'member-' || n, 'member-' || n, null, 'free', cast(${nowMs} as bigint) from numbers`)
  await tx.execute(sql`insert into memberships (org_id, user_id, role, joined_at)
    select ${orgId}, id, 'member', created_at from users where id like 'member-%'`)
}

export const countOpenWaits = (home) => countRows(home, 'open_waits')
export const countOpenStreams = (home) => countRows(home, 'event_streams')

function countRows({ folder }, table) {
  const file = openFile(folder)
  const { count } = file.prepare(`select count(*) as count from ${table}`).get()
  file.close()
  return count
}

function openFile(folder) {
  const { DatabaseSync } = loadSqlite()
  const file = new DatabaseSync(join(folder, 'heliograph.db'))
  file.exec('pragma busy_timeout = 5000')
  return file
}
