// Media template: title, position and playback controls.
import { CARD_TEXTS } from '../../texts/cards.ts'
import { clockDuration } from '../../ui/duration.ts'
import { now } from '../../ui/time.tsx'
import { runAction } from '../action-buttons.tsx'
import { formatPercent, fractionOf } from '../format.ts'
import { Glyph } from '../glyph.tsx'
import { Bar } from '../shapes.tsx'
import type { ActivityContent, ControlName, ShownActivity } from './content.ts'
import type { ActivityFace } from './face.ts'

const ORDER: [ControlName, string][] = [
  ['favorite', 'heart'],
  ['volume_down', 'speaker.wave.1'],
  ['previous', 'backward'],
  ['play_pause', 'playpause'],
  ['play', 'play'],
  ['pause', 'pause'],
  ['stop', 'stop'],
  ['next', 'forward'],
  ['volume_up', 'speaker.wave.3'],
]
const LARGE: ControlName[] = ['play_pause', 'play', 'pause']

function Body({ activity: { content } }: { activity: ShownActivity }) {
  const { duration_seconds: duration, playback_state } = content
  const position = positionOf(content)
  return (
    <div class="activity-countdown">
      {playback_state && <span class="hidden">{CARD_TEXTS.playback[playback_state]}</span>}
      {duration !== undefined && (
        <div class="activity-progress">
          <Bar fraction={fractionOf(position, 0, duration)} />
          <div class="activity-ends">
            <span>{clockDuration(position)}</span>
            {content.volume !== undefined && <span>{CARD_TEXTS.volume(formatPercent(content.volume))}</span>}
            <span>{clockDuration(duration)}</span>
          </div>
        </div>
      )}
      <ControlButtons content={content} />
    </div>
  )
}

function ControlButtons({ content: { controls = {}, playback_state, favorite } }: { content: ActivityContent }) {
  const { extra = [] } = controls
  const named = ORDER.flatMap(([name, icon]) => {
    const action = controls[name]
    if (!action) return []
    const shown = name === 'play_pause' ? (playback_state === 'playing' ? 'pause' : 'play') : icon
    return [{ name, action, icon: action.icon ?? shown }]
  })
  if (named.length + extra.length === 0) return null
  return (
    <div class="controls">
      {named.map(({ name, action, icon }) => (
        <button
          key={name}
          type="button"
          class={LARGE.includes(name) ? 'control control-large' : 'control'}
          aria-label={action.title || CARD_TEXTS.controls[name]}
          aria-pressed={name === 'favorite' ? Boolean(favorite) : undefined}
          onClick={() => runAction(action, false)}
        >
          <Glyph name={icon} />
        </button>
      ))}
      {extra.map((action, index) => (
        <button
          key={index}
          type="button"
          class="control"
          aria-label={action.title || action.url}
          onClick={() => runAction(action, false)}
        >
          <Glyph name={action.icon ?? 'ellipsis'} />
        </button>
      ))}
    </div>
  )
}

// While it plays, the position advances with the clock.
function positionOf({ position_seconds = 0, position_at, duration_seconds, playback_state }: ActivityContent): number {
  const elapsed = playback_state === 'playing' && position_at !== undefined ? now.value / 1000 - position_at : 0
  return Math.min(position_seconds + Math.max(elapsed, 0), duration_seconds ?? Number.POSITIVE_INFINITY)
}

export const media: ActivityFace = {
  color: 'pink',
  icon: 'music.note',
  headline: ({ media_title }) => media_title,
  Body,
  compact: (content) => {
    const { duration_seconds: duration } = content
    if (duration === undefined) return { text: content.media_title ?? content.state ?? '' }
    return { text: clockDuration(positionOf(content)), fraction: fractionOf(positionOf(content), 0, duration) }
  },
}
