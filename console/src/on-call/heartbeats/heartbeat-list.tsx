// The heartbeats of the account or of an organization, with their status and their last pings.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { HeartbeatView, PingView } from '../../../../src/contract/heartbeats.ts'
import { api } from '../../api/client.ts'
import { useLoaded } from '../../state/use-loaded.ts'
import { TEXTS } from '../../texts/base.ts'
import { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CardList } from '../../ui/page.tsx'
import { Ago, now } from '../../ui/time.tsx'
import { Frame } from '../frame.tsx'
import { NEW, type Place, pageOf, pathOf } from '../place.ts'
import { expectedInWords } from './draft.ts'
import { PingBars } from './ping-bars.tsx'
import { PingKey } from './ping-key.tsx'
import { byUrgency, StatusTag } from './status-tag.tsx'

const words = HEARTBEAT_TEXTS

// A ping that does not change the status causes no event.
export const REFRESH_MS = 20_000

export function HeartbeatList({ place }: { place: Place }) {
  const load = () => api.get<{ items: HeartbeatView[]; ping_key?: string }>(place.collection)
  const list = useLoaded(load, { on: 'heartbeat.', everyMs: REFRESH_MS, key: place.collection })
  const { value, reload } = list
  const create = (
    <ButtonLink look="primary" icon="plus" href={`${place.home}/${NEW}`}>
      {words.create}
    </ButtonLink>
  )
  return (
    <Frame place={place} title={TEXTS.nav.heartbeats} intro={words.intro} actions={create}>
      <CardList loaded={list} items={value && byUrgency(value.items)} icon="heartbeat" words={words}>
        {(heartbeat) => <HeartbeatCard key={heartbeat.slug} heartbeat={heartbeat} place={place} />}
      </CardList>
      {value?.ping_key && (
        <PingKey place={place} pingKey={value.ping_key} base={pingBase(value.items)} reload={reload} />
      )}
    </Frame>
  )
}

// The server may be reached by another address than the one that it tells.
const pingBase = ([first]: HeartbeatView[]): string =>
  first?.ping_url?.replace(/[^/]+$/, '') ?? `${location.origin}/ping/`

function HeartbeatCard({ heartbeat, place }: { heartbeat: HeartbeatView; place: Place }) {
  const { slug, name, status } = heartbeat
  return (
    <li class="card heartbeat-card">
      <div>
        <div class="card-head">
          <h2 dir="auto">
            <a href={pageOf(place, slug)}>{name}</a>
          </h2>
          <StatusTag status={status} />
        </div>
        <p class="muted card-facts">{expectedInWords(heartbeat)}</p>
        <p class="muted card-facts">
          <PingTimes heartbeat={heartbeat} />
        </p>
      </div>
      <LastPings heartbeat={heartbeat} place={place} />
    </li>
  )
}

// When it last pinged, and when the next success is due.
export function PingTimes({ heartbeat: { last_ping_at, next_due_at } }: { heartbeat: HeartbeatView }) {
  if (!last_ping_at) return <>{words.neverPinged}</>
  return (
    <>
      {words.lastPing} <Ago at={last_ping_at} />
      {next_due_at && (
        <>
          {' · '}
          {Date.parse(next_due_at) > now.value ? words.nextDue : words.overdue} <Ago at={next_due_at} />
        </>
      )}
    </>
  )
}

// Loaded once the card is in sight: a page of a hundred heartbeats would otherwise ask for all their pings at once.
function LastPings({ heartbeat, place }: { heartbeat: HeartbeatView; place: Place }) {
  const { slug, last_ping_at } = heartbeat
  const box = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!box.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} class="heartbeat-bars">
      {isSeen && last_ping_at && <LoadedBars path={`${pathOf(place, slug)}/pings`} lastPingAt={last_ping_at} />}
    </div>
  )
}

function LoadedBars({ path, lastPingAt }: { path: string; lastPingAt: string }) {
  const { value } = useLoaded(() => api.get<{ items: PingView[] }>(path), { key: lastPingAt })
  return value ? <PingBars pings={value.items} /> : null
}
