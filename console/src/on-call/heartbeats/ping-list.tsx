// The last pings of a heartbeat: their bars, then each with what it sent.
import { useState } from 'preact/hooks'
import type { PingView } from '../../../../src/contract/heartbeats.ts'
import { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'
import { Button } from '../../ui/button.tsx'
import { durationInWords } from '../../ui/duration.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Ago, Moment } from '../../ui/time.tsx'
import { PingBars } from './ping-bars.tsx'

const words = HEARTBEAT_TEXTS

const ICONS: Record<PingView['kind'], IconName> = { success: 'check', start: 'play', fail: 'alert', log: 'edit' }

// The address and the settings below stay in reach.
const SHOWN_AT_FIRST = 10

export function PingList({ pings }: { pings: PingView[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? pings : pings.slice(0, SHOWN_AT_FIRST)
  return (
    <section class="card section">
      <h2>{words.pings}</h2>
      {pings.length === 0 && <p class="muted">{words.noPings}</p>}
      {pings.length > 0 && (
        <figure class="ping-figure">
          <PingBars pings={pings} />
          <figcaption class="muted">{words.bars.legend}</figcaption>
        </figure>
      )}
      <ol class="pings">
        {shown.map((ping, index) => (
          // Pings have no id. The oldest are dropped, so their distance from the end would change too.
          <Ping key={`${ping.at} ${index}`} ping={ping} />
        ))}
      </ol>
      {shown.length < pings.length && <Button onClick={() => setWhole(true)}>{words.olderPings}</Button>}
    </section>
  )
}

function Ping({ ping: { at, kind, exit_status, duration_ms, body, from } }: { ping: PingView }) {
  const facts = [
    exit_status !== undefined && words.exitStatus(exit_status),
    duration_ms !== undefined && words.took(durationInWords(duration_ms / 1000)),
    words.from(from),
  ]
  return (
    <li class={`ping ping-${kind}`}>
      <Icon name={ICONS[kind]} size={16} />
      <div>
        <p>
          <strong>{words.kinds[kind]}</strong> <Moment at={at} />{' '}
          <span class="muted">
            (<Ago at={at} />)
          </span>
        </p>
        <p class="muted">{facts.filter(Boolean).join(' · ')}</p>
        {body && (
          <details class="raw">
            <summary>{words.body}</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus. */}
            <pre dir="auto" tabIndex={0}>
              {body}
            </pre>
          </details>
        )}
      </div>
    </li>
  )
}
