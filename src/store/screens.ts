// Screen links, by id for their owner and by the hash of the token for screens.
import type { PlanName } from '../contract/plans.ts'
import type { LinkCaller, UserId } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import type { DisplayReport, DisplaySettings } from '../domain/screens/display.ts'
import type { ScreenLink } from '../domain/screens/link.ts'
import type { TokenHash } from '../domain/token.ts'
import { revocationTopic } from './accounts/tokens.ts'
import { collection, NEWEST_FIRST } from './collection.ts'
import type { Reader, Writer } from './engine/database.ts'
import { flag, json, nested, type Row, rowsOf } from './engine/rows.ts'
import { sql } from './engine/sql.ts'

const ROWS = rowsOf<ScreenLink>('screen_links', {
  id: 'id',
  userId: 'user_id',
  name: 'name',
  widgetSlugs: json('widgets'),
  activitySlugs: json('activities'),
  showsWall: flag('shows_wall'),
  theme: 'theme',
  lang: 'lang',
  timeZone: 'time_zone',
  opensTaps: flag('opens_taps'),
  expiresAt: 'expires_at',
  display: json('display'),
  report: json('report'),
  log: json('log'),
  pairingAskedAt: 'pairing_asked_at',
  lastUsedAt: 'last_used_at',
  createdAt: 'created_at',
})

export const {
  findForUpdate: findScreenLinkForUpdate,
  list: listScreenLinks,
  count: countScreenLinks,
} = collection(ROWS, { name: 'id', order: NEWEST_FIRST })

type StoredLinkCaller = Omit<LinkCaller, 'plan'> & { plan: PlanName }
type CallerOfLink = { caller: StoredLinkCaller; expiresAt: Instant | null }

const OF_CALLER = nested<Omit<StoredLinkCaller, 'kind'>>({
  tokenHash: 's.hash',
  userId: 's.user_id',
  accountKind: 'u.kind',
  plan: 'u.plan',
  holdsPushes: flag('u.holds_pushes'),
  linkId: 's.id',
  widgetSlugs: json('s.widgets'),
  activitySlugs: json('s.activities'),
  showsWall: flag('s.shows_wall'),
  opensTaps: flag('s.opens_taps'),
  defaults: nested<LinkCaller['defaults']>({ theme: 's.theme', lang: 's.lang', tz: 's.time_zone' }),
})
const callerOf = {
  ...OF_CALLER,
  read: (row: Row): StoredLinkCaller => ({ kind: 'screen-link', ...OF_CALLER.read(row) }),
}

const LINKS_AND_OWNERS = 'screen_links s join users u on u.id = s.user_id'
const CALLERS = rowsOf<CallerOfLink>(LINKS_AND_OWNERS, { caller: callerOf, expiresAt: 's.expires_at' })

// A display, whose token in `caller` is its key. `lastFile`: the picture that it was told to show.
export type StoredDisplay = {
  caller: StoredLinkCaller
  name: string
  settings: DisplaySettings
  mac: string | null
  lastFile: string | null
  log: string[] | null
  loggedAt: Instant | null
  pairingAskedAt: Instant | null
  // The last notice about it.
  toldAt: Instant | null
}

const DISPLAYS = rowsOf<StoredDisplay>(LINKS_AND_OWNERS, {
  caller: callerOf,
  name: 's.name',
  settings: json('s.display'),
  mac: 's.mac',
  lastFile: 's.last_file',
  log: json('s.log'),
  loggedAt: 's.logged_at',
  pairingAskedAt: 's.pairing_asked_at',
  toldAt: 's.told_at',
})

// Cached, because a screen asks each minute or more often.
export const findLinkCaller = (db: Reader, hash: TokenHash): Promise<CallerOfLink | undefined> =>
  CALLERS.firstCached(db, sql`where s.hash = ${hash}`)

// By the code in its address.
export const findDisplay = (db: Reader, codeHash: TokenHash): Promise<StoredDisplay | undefined> =>
  DISPLAYS.firstCached(db, sql`where s.code_hash = ${codeHash}`)

// For a display, the address that registers it until then. It has no token before it is registered.
export type StoredSecret = { hash: TokenHash; codeHash: TokenHash | null; registersUntil: Instant | null }

export async function insertScreenLink(tx: Writer, link: ScreenLink, secret: StoredSecret): Promise<void> {
  tx.queue(sql`insert into screen_links (id, user_id, hash, name, widgets, activities, shows_wall, theme, lang, time_zone,
      opens_taps, expires_at, display, code_hash, registers_until, created_at)
    values (${link.id}, ${link.userId}, ${secret.hash}, ${link.name}, ${JSON.stringify(link.widgetSlugs)},
      ${JSON.stringify(link.activitySlugs)}, ${link.showsWall ? 1 : 0}, ${link.theme}, ${link.lang}, ${link.timeZone},
      ${link.opensTaps ? 1 : 0}, ${link.expiresAt},
      ${displayOf(link)}, ${secret.codeHash}, ${secret.registersUntil}, ${link.createdAt})`)
}

export async function updateScreenLink(tx: Writer, link: ScreenLink): Promise<void> {
  tx.queue(sql`update screen_links set name = ${link.name}, widgets = ${JSON.stringify(link.widgetSlugs)},
      activities = ${JSON.stringify(link.activitySlugs)}, shows_wall = ${link.showsWall ? 1 : 0}, theme = ${link.theme},
      lang = ${link.lang}, time_zone = ${link.timeZone}, opens_taps = ${link.opensTaps ? 1 : 0},
      expires_at = ${link.expiresAt}, display = ${displayOf(link)}
    where user_id = ${link.userId} and id = ${link.id}`)
  // It may show less now.
  tx.signal(revocationTopic(link.userId))
}

const displayOf = ({ display }: ScreenLink) => display && JSON.stringify(display)

// The old address stops working.
export async function updateScreenSecret(
  tx: Writer,
  { userId, id }: ScreenLink,
  { hash, codeHash, registersUntil }: StoredSecret,
): Promise<void> {
  tx.queue(sql`update screen_links set hash = ${hash}, code_hash = ${codeHash}, registers_until = ${registersUntil},
      mac = null, last_file = null, report = null, log = null, logged_at = null, pairing_asked_at = null, missed_at = null
    where user_id = ${userId} and id = ${id}`)
  tx.signal(revocationTopic(userId))
}

type Registration = { keyHash: TokenHash; mac: string; file: string; now: Instant }

// Returns false if another display was first, or if it is too late. The same display may come again once its owner allows it.
export async function registerDisplay(
  tx: Writer,
  { userId, linkId }: Pick<LinkCaller, 'userId' | 'linkId'>,
  { keyHash, mac, file, now }: Registration,
): Promise<boolean> {
  const changed = await tx.execute(sql`update screen_links set hash = ${keyHash}, mac = ${mac}, last_file = ${file},
      registers_until = null, pairing_asked_at = null
    where user_id = ${userId} and id = ${linkId} and registers_until > ${now} and (mac is null or mac = ${mac})`)
  return changed === 1
}

type LinkKey = Pick<LinkCaller, 'userId' | 'linkId'>

export async function updatePairingAsked(tx: Writer, { userId, linkId }: LinkKey, now: Instant): Promise<void> {
  tx.queue(sql`update screen_links set pairing_asked_at = ${now} where user_id = ${userId} and id = ${linkId}`)
}

export async function updatePairing(tx: Writer, { userId, id }: ScreenLink, until: Instant): Promise<void> {
  tx.queue(sql`update screen_links set registers_until = ${until}, pairing_asked_at = null
    where user_id = ${userId} and id = ${id}`)
}

type Call = { file: string; report: DisplayReport; missedAt: Instant; toldAt: Instant | null }

export async function updateCall(tx: Writer, { userId, linkId }: LinkKey, call: Call): Promise<void> {
  tx.queue(sql`update screen_links set last_file = ${call.file}, report = ${JSON.stringify(call.report)},
      missed_at = ${call.missedAt}, told_at = ${call.toldAt}
    where user_id = ${userId} and id = ${linkId}`)
}

export async function updateLog(tx: Writer, { userId, linkId }: LinkKey, lines: string[], now: Instant): Promise<void> {
  tx.queue(sql`update screen_links set log = ${JSON.stringify(lines)}, logged_at = ${now}
    where user_id = ${userId} and id = ${linkId}`)
}

export type MissedDisplay = { userId: UserId; id: string; name: string; toldAt: Instant | null }

const MISSED = rowsOf<MissedDisplay>('screen_links', { userId: 'user_id', id: 'id', name: 'name', toldAt: 'told_at' })

export const listMissedDisplays = (tx: Writer, now: Instant, limit: number): Promise<MissedDisplay[]> =>
  MISSED.all(tx, sql`where missed_at < ${now} order by missed_at limit ${limit}`)

// Until it calls again.
export async function updateMissed(tx: Writer, { userId, id }: MissedDisplay, toldAt: Instant | null): Promise<void> {
  tx.queue(sql`update screen_links set missed_at = null, told_at = ${toldAt} where user_id = ${userId} and id = ${id}`)
}

export async function updateScreenUse(tx: Writer, userId: UserId, id: string, at: Instant): Promise<void> {
  tx.queue(sql`update screen_links set last_used_at = ${at} where user_id = ${userId} and id = ${id}`)
}

// Returns false if there is no such link.
export async function deleteScreenLink(tx: Writer, userId: UserId, id: string): Promise<boolean> {
  tx.signal(revocationTopic(userId))
  return (await tx.execute(sql`delete from screen_links where user_id = ${userId} and id = ${id}`)) === 1
}
