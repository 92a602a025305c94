// Draws the last pings of a heartbeat. Kinds differ in shape, not only in colour; a text says the same.
import type { PingView } from '../../../../src/contract/heartbeats.ts'
import { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'
import { durationInWords } from '../../ui/duration.ts'
import { shortMoment } from '../../ui/time.tsx'
import { type Bar, barsOf, countByKind, SHOWN_BARS } from './bars.ts'

const STEP = 8
const WIDTH = 5
const BAR_HEIGHT = 30
// Above the bars, for the mark of a failure.
const MARK_HEIGHT = 7
const BOTTOM = MARK_HEIGHT + BAR_HEIGHT

export function PingBars({ pings }: { pings: readonly PingView[] }) {
  const bars = barsOf(pings)
  if (bars.length === 0) return null
  const first = SHOWN_BARS - bars.length
  return (
    <svg
      class="ping-bars"
      viewBox={`0 0 ${SHOWN_BARS * STEP} ${BOTTOM}`}
      role="img"
      aria-label={HEARTBEAT_TEXTS.bars.label(countByKind(bars))}
    >
      <path class="ping-base" d={`M0 ${BOTTOM - 0.5}H${SHOWN_BARS * STEP}`} />
      {bars.map((bar, index) => (
        // Pings have no id, and several can have the same time.
        <PingBar key={index} bar={bar} left={(first + index) * STEP} />
      ))}
    </svg>
  )
}

function PingBar({ bar, left }: { bar: Bar; left: number }) {
  const { kind, at, durationMs } = bar
  const took = durationMs === undefined ? '' : `, ${HEARTBEAT_TEXTS.took(durationInWords(durationMs / 1000))}`
  return (
    <g class={`ping-bar ping-bar-${kind}`}>
      <title>{`${HEARTBEAT_TEXTS.kinds[kind]}, ${shortMoment(at)}${took}`}</title>
      <Shape bar={bar} left={left} />
    </g>
  )
}

function Shape({ bar: { kind, height }, left }: { bar: Bar; left: number }) {
  const middle = left + WIDTH / 2
  if (kind === 'log') return <circle cx={middle} cy={BOTTOM - WIDTH / 2} r={WIDTH / 2} />
  const top = BOTTOM - height * BAR_HEIGHT
  // The outline of a start is drawn half outside of its rectangle.
  const edge = kind === 'start' ? 0.5 : 0
  return (
    <>
      {kind === 'fail' && <path d={`M${middle} ${top - 6}l3.5 5h-7z`} />}
      <rect x={left + edge} y={top + edge} width={WIDTH - 2 * edge} height={height * BAR_HEIGHT - 2 * edge} rx={1.5} />
    </>
  )
}
