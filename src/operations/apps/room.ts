// The apps that are connected to this process. They share one subscription per account and one look at the database a
// second for all of them, because a signal may be lost and thousands of apps are connected at a time.
import type { UserId } from '../../domain/caller.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { listStanding, revocationTopic } from '../../store/accounts/tokens.ts'
import type { Database } from '../../store/engine/database.ts'
import { feedTopic } from '../../store/events/feeds.ts'
import type { AppRoom, ConnectedApp } from '../context.ts'

type Account = { apps: Set<ConnectedApp>; unsubscribe(): void }

const LOOK_MS = 1000
// One statement looks at so many.
const CHECKED_AT_ONCE = 500

type RoomParts = { clock: Clock; db: Database; log: Log; stopping: AbortSignal }

export function createAppRoom({ clock, db, log, stopping }: RoomParts): AppRoom {
  const accounts = new Map<UserId, Account>()
  let isTickSet = false
  const allApps = () => [...accounts.values()].flatMap(({ apps }) => [...apps])
  stopping.addEventListener('abort', () => {
    for (const app of allApps()) void app.end()
  })

  // The timer is set again only after a look has ended, so looks do not pile up if the database is slow or the clock jumps.
  function tickLater() {
    if (isTickSet || accounts.size === 0) return
    isTickSet = true
    clock.wakeAfter(LOOK_MS, () => void tick())
  }

  async function tick(): Promise<void> {
    await check(allApps())
    isTickSet = false
    tickLater()
  }

  // Ends the apps whose password is gone and wakes those that miss events.
  async function check(apps: ConnectedApp[]): Promise<void> {
    try {
      for (let start = 0; start < apps.length; start += CHECKED_AT_ONCE) {
        await checkSome(apps.slice(start, start + CHECKED_AT_ONCE))
      }
    } catch (error) {
      // The next look is due in a second.
      log.warn({ err: error }, 'cannot look after connected apps')
    }
  }

  async function checkSome(apps: ConnectedApp[]): Promise<void> {
    const hashes = [...new Set<TokenHash>(apps.map(({ caller }) => caller.tokenHash))]
    const standing = await listStanding(db.read, hashes)
    for (const app of apps) {
      const newest = standing.get(app.caller.tokenHash)
      if (newest === undefined) void app.end()
      else if (newest > app.position) app.wake()
    }
  }

  function openAccount(userId: UserId): Account {
    const apps = new Set<ConnectedApp>()
    const unsubscribes = [
      db.signals.subscribe(feedTopic(userId), () => {
        for (const app of apps) app.wake()
      }),
      db.signals.subscribe(revocationTopic(userId), () => void check([...apps])),
    ]
    const account: Account = {
      apps,
      unsubscribe() {
        for (const unsubscribe of unsubscribes) unsubscribe()
      },
    }
    accounts.set(userId, account)
    tickLater()
    return account
  }

  function leave(userId: UserId, account: Account, app: ConnectedApp) {
    account.apps.delete(app)
    if (account.apps.size > 0) return
    account.unsubscribe()
    accounts.delete(userId)
  }

  return {
    enter(app) {
      const { userId } = app.caller
      const account = accounts.get(userId) ?? openAccount(userId)
      account.apps.add(app)
      return () => leave(userId, account, app)
    },
    async endOldest({ userId, deviceId }) {
      // A Set keeps the order of insertion.
      const oldest = [...(accounts.get(userId)?.apps ?? [])].find(({ caller }) => caller.deviceId === deviceId)
      await oldest?.end()
      return oldest !== undefined
    },
  }
}
