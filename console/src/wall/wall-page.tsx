// All widgets on one screen, for a tablet on a wall: dark, without scroll bars, and live.
import '../styles/card-shapes.css'
import '../styles/widget/frame.css'
import '../styles/widget/faces.css'
import '../styles/widget/lists.css'
import '../styles/widget/flow.css'
import './wall.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CardsInConsole } from '../cards/in-console.tsx'
import { WidgetCard } from '../cards/widget/card.tsx'
import { FollowedStream } from '../state/events.ts'
import { followConnection, lostSince } from '../state/lost-connection.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { WALL_TEXTS } from '../texts/wall.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { pageTitle } from '../ui/page.tsx'
import { clockTime, now } from '../ui/time.tsx'
import { layOut, lengthOf } from './layout.ts'
import { ACCOUNT_SOURCE, linkSource, linkToken, placed, type WallContent, type WallSource } from './source.ts'

export function WallPage() {
  const [source] = useState<WallSource>(() => {
    const token = linkToken(location.hash)
    return token ? linkSource(token) : ACCOUNT_SOURCE
  })
  useEffect(() => {
    pageTitle.value = WALL_TEXTS.title
    if (source.isLink) document.title = `${WALL_TEXTS.title} · ${TEXTS.name}`
    document.documentElement.classList.add('has-wall')
    const stop = source.isLink ? followConnection(source.stream) : undefined
    if (source.isLink) source.stream.open()
    return () => {
      stop?.()
      document.documentElement.classList.remove('has-wall')
      if (source.isLink) source.stream.close()
    }
  }, [])
  useWakeLock()
  return (
    <FollowedStream.Provider value={source.stream}>
      <CardsInConsole>
        <Wall source={source} />
      </CardsInConsole>
    </FollowedStream.Provider>
  )
}

function Wall({ source }: { source: WallSource }) {
  const { value, error } = useLoaded(source.load, { on: ['widget.', 'wall.'] })
  const lost = lostSince.value && WALL_TEXTS.lost(clockTime.format(lostSince.value))
  const note = source.isRevoked.value ? WALL_TEXTS.revoked : (error ?? lost)
  return (
    <main class="wall" aria-label={WALL_TEXTS.title}>
      <h1 class="hidden">{WALL_TEXTS.title}</h1>
      {value?.wall.shows_clock && <p class="wall-clock">{clockTime.format(now.value)}</p>}
      {/* After a revocation nothing more is shown; without a network the last state stays. */}
      {value && !source.isRevoked.value && <Cards content={value} isInert={source.isLink} />}
      {note && (
        <p class="wall-note" role="alert">
          {note}
        </p>
      )}
      <WallTools isLink={source.isLink} />
    </main>
  )
}

function Cards({ content, isInert }: { content: WallContent; isInert: boolean }) {
  const area = useRef<HTMLDivElement>(null)
  const { width, height } = useSizeOf(area)
  const entries = placed(content)
  const { columns, rows, scale, spots } = layOut(
    entries.map(({ place }) => place.size),
    width,
    height,
  )
  const [shiftX, shiftY] = shiftAt(now.value)
  return (
    <div class="wall-area" ref={area}>
      {entries.length === 0 && <p class="wall-note">{WALL_TEXTS.empty}</p>}
      <ul
        class="wall-cards"
        // A link only reads, so the buttons of its cards do nothing.
        inert={isInert}
        style={{
          width: `${lengthOf(columns)}px`,
          height: `${lengthOf(rows)}px`,
          translate: `${shiftX}px ${shiftY}px`,
          scale: `${scale}`,
        }}
      >
        {entries.map(({ widget, place }, index) => {
          const spot = spots[index]
          if (!spot) return null
          const style = {
            gridColumn: `${spot.column + 1} / span ${spot.columns}`,
            gridRow: `${spot.row + 1} / span ${spot.rows}`,
          }
          return (
            <li key={widget.slug} style={style}>
              <WidgetCard widget={widget} family={place.size} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

const SHIFTS: [x: number, y: number][] = [
  [0, 0],
  [3, 2],
  [-2, 3],
  [-3, -2],
  [2, -3],
]

// Moves everything by a few pixels each minute, so that no line burns into the screen.
const shiftAt = (at: number): [x: number, y: number] => SHIFTS[Math.floor(at / 60_000) % SHIFTS.length] ?? [0, 0]

function useSizeOf(element: { current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 1, height: 1 })
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return size
}

function WallTools({ isLink }: { isLink: boolean }) {
  return (
    <div class="wall-tools">
      {document.fullscreenEnabled && (
        <Button size="small" onClick={() => document.documentElement.requestFullscreen()}>
          {WALL_TEXTS.fullScreen}
        </Button>
      )}
      {!isLink && (
        <ButtonLink size="small" href="/app/widgets/_wall">
          {WALL_TEXTS.arrange}
        </ButtonLink>
      )}
    </div>
  )
}

// Keeps the screen on while the wall is visible. Browsers without it follow the settings of the device.
function useWakeLock(): void {
  useEffect(() => {
    const hold = () => {
      if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => {})
    }
    hold()
    document.addEventListener('visibilitychange', hold)
    return () => document.removeEventListener('visibilitychange', hold)
  }, [])
}
