// Media template: title, position and playback controls.
import type { ActivityContent, ControlName, ShownActivity } from '../../../../src/domain/screens/activity-content.ts'
import { positionOf } from '../../../../src/domain/screens/activity-glance.ts'
import { timePassed } from '../../../../src/domain/screens/duration.ts'
import { formatPercent, fractionOf } from '../../../../src/domain/screens/format.ts'
import { Glyph } from '../glyph.tsx'
import { Bar } from '../shapes.tsx'
import { useSurroundings, useViewer } from '../surroundings.ts'
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
  const viewer = useViewer()
  const { duration_seconds: duration, playback_state } = content
  const position = positionOf(content, viewer)
  return (
    <div class="activity-countdown">
      {playback_state && <span class="hidden">{viewer.words.playback[playback_state]}</span>}
      {duration !== undefined && (
        <div class="activity-progress">
          <Bar fraction={fractionOf(position, 0, duration)} />
          <div class="activity-ends">
            <span>{timePassed(viewer, position)}</span>
            {content.volume !== undefined && <span>{viewer.words.volume(formatPercent(content.volume))}</span>}
            <span>{timePassed(viewer, duration)}</span>
          </div>
        </div>
      )}
      <ControlButtons content={content} />
    </div>
  )
}

function ControlButtons({ content: { controls = {}, playback_state, favorite } }: { content: ActivityContent }) {
  const { press, viewer } = useSurroundings()
  const { extra = [] } = controls
  const named = ORDER.flatMap(([name, icon]) => {
    const action = controls[name]
    if (!action) return []
    const shown = name === 'play_pause' ? (playback_state === 'playing' ? 'pause' : 'play') : icon
    return [{ name, action, icon: action.icon ?? shown }]
  })
  if (!press || named.length + extra.length === 0) return null
  return (
    <div class="controls">
      {named.map(({ name, action, icon }) => (
        <button
          key={name}
          type="button"
          class={LARGE.includes(name) ? 'control control-large' : 'control'}
          aria-label={action.title || viewer.value.words.controls[name]}
          aria-pressed={name === 'favorite' ? Boolean(favorite) : undefined}
          onClick={() => press.run(action, false)}
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
          onClick={() => press.run(action, false)}
        >
          <Glyph name={action.icon ?? 'ellipsis'} />
        </button>
      ))}
    </div>
  )
}

export const media: ActivityFace = { headline: ({ media_title }) => media_title, Body }
