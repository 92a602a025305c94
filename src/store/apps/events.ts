// The events that apps of other services are told of, as far as they are about the sources or the notification that is asked
// for.
import { NEWS_EVENTS } from '../../domain/apps/news.ts'
import type { UserId } from '../../domain/caller.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader } from '../engine/database.ts'
import { eachText, fragment, list, type Sql, sql } from '../engine/sql.ts'
import { type EventsOfTypes, listEventsOfTypes } from '../events/feeds.ts'

// What events must be about.
export type Subject = { sources: string[] } | { notificationId: NotificationId }

// An event row has at most about 5 KB.
const PAGE = 50

export const listNewsEvents = (
  db: Reader,
  userId: UserId,
  after: number,
  subject?: Subject,
): Promise<EventsOfTypes> => {
  const where = subject && ('sources' in subject ? isOfSources(userId, subject) : isOfNotification(subject))
  return listEventsOfTypes(db, userId, { after, types: NEWS_EVENTS, limit: PAGE, where })
}

// The sources of the inbox, and of what was deleted since the event `after`.
export async function listNewsSources(db: Reader, userId: UserId, after: number): Promise<string[]> {
  const rows = await db.all<{ source: string }>(sql`select source from notifications
      where user_id = ${userId} and source is not null
    union select ${SOURCE_OF_DELETED} from events
      where user_id = ${userId} and number > ${after} and ${SOURCE_OF_DELETED} is not null`)
  return rows.map(({ source }) => source)
}

// `case` is evaluated in order, so that the data of no other type is read: its id may be no number.
const SOURCE_OF_DELETED = fragment({
  sqlite: `case type when 'notification.deleted' then json_extract(data, '$.source') end`,
  postgres: `case type when 'notification.deleted' then data::json ->> 'source' end`,
})

const ID_IN_DATA = fragment({ sqlite: `json_extract(data, '$.id')`, postgres: `(data::json ->> 'id')::bigint` })
const EACH_READ_ID = fragment({
  sqlite: `json_each(data, '$.ids')`,
  postgres: `json_array_elements_text(data::json -> 'ids') as each_text (value)`,
})
const IS_READ_ALL = fragment({ sqlite: `json_extract(data, '$.ids') is null`, postgres: `data::json -> 'ids' is null` })
const READ = 'notification.read'
const DELETED = 'notification.deleted'
const RECEIVED = 'push.received'
const SHOWN = 'activity.shown'
const OF_ONE = NEWS_EVENTS.filter((type) => type !== READ && type !== DELETED && type !== RECEIVED && type !== SHOWN)

const isOfNotification = ({ notificationId }: { notificationId: NotificationId }): Sql =>
  sql`and case when type in (${list(OF_ONE)}) then ${ID_IN_DATA} end = ${notificationId}`

// The notifications of each event are looked up by their ids, however many others there are: PostgreSQL might join all of
// them.
function isOfSources(userId: UserId, { sources }: { sources: string[] }): Sql {
  const wanted = sql`(select value from ${eachText(JSON.stringify(sources))})`
  const sourceOf = (id: Sql) => sql`(select source from notifications where user_id = ${userId} and id = ${id})`
  return sql`and case type
    when ${RECEIVED} then 1 = 1
    when ${SHOWN} then 1 = 1
    when ${DELETED} then ${SOURCE_OF_DELETED} in ${wanted}
    when ${READ} then ${IS_READ_ALL}
      or exists (select 1 from ${EACH_READ_ID} where ${sourceOf(sql`cast(value as bigint)`)} in ${wanted})
    else case when type in (${list(OF_ONE)}) then ${sourceOf(sql`${ID_IN_DATA}`)} in ${wanted} end end`
}
