// An activity as a phone shows it: the card on the lock screen, and the compact form next to the camera.
import type { WidgetAction } from '../../../../src/contract/actions.ts'
import type { ActivityContent, ShownActivity } from '../../../../src/domain/screens/activity-content.ts'
import { activityGlance } from '../../../../src/domain/screens/activity-glance.ts'
import { ACTIVITY_LOOKS } from '../../../../src/domain/screens/looks.ts'
import type { Words } from '../../../../src/domain/screens/words.ts'
import { ActionButtons } from '../action-buttons.tsx'
import { cardStyle } from '../color.ts'
import { Glyph } from '../glyph.tsx'
import { Ring } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import { ACTIVITY_FACES } from './faces.ts'

export function ActivityCard({ activity }: { activity: ShownActivity }) {
  const { content, name, state } = activity
  const { words: texts } = useViewer()
  const look = lookOf(content)
  const face = ACTIVITY_FACES[content.template ?? 'generic']
  const words = (state === 'ended' && content.completion_message) || face.headline?.(content) || content.state
  return (
    <div class="activity" data-template={content.template} data-state={state} style={cardStyle(content, look.color)}>
      <header class="activity-head">
        <Picture content={content} icon={look.icon} />
        <div class="activity-words">
          <span class="activity-name" dir="auto">
            {name}
          </span>
          {words && (
            <span class="activity-state" dir="auto">
              {words}
            </span>
          )}
          {content.subtitle && (
            <span class="activity-subtitle" dir="auto">
              {content.subtitle}
            </span>
          )}
        </div>
      </header>
      {content.template && <face.Body activity={activity} />}
      <ActionButtons actions={actionsOf(content, texts)} isBrowserDefault />
    </div>
  )
}

function Picture({ content: { image_url, image_shape = 'square', icon }, icon: usual }: PictureProps) {
  if (image_url) {
    return <img class={`activity-image activity-${image_shape}`} src={image_url} alt="" referrerpolicy="no-referrer" />
  }
  return (
    <span class="activity-medal">
      <Glyph name={icon || usual} />
    </span>
  )
}

type PictureProps = { content: ActivityContent; icon: string }

export function ActivityCompact({ activity: { content, name, state } }: { activity: ShownActivity }) {
  const look = lookOf(content)
  const { text, fraction } = activityGlance(content, useViewer())
  const icon = <Glyph name={content.icon || look.icon} />
  return (
    <div
      class="island"
      data-state={state}
      style={cardStyle({ ...content, background_color: '', text_color: '' }, look.color)}
    >
      <span class="hidden">{name}</span>
      {fraction === undefined ? icon : <Ring fraction={fraction} thickness={12} children={icon} />}
      <span class="island-camera" />
      <span class="island-text">{content.compact_label || text}</span>
    </div>
  )
}

const lookOf = ({ template }: ActivityContent) => ACTIVITY_LOOKS[template ?? 'generic']

function actionsOf(content: ActivityContent, words: Words): WidgetAction[] {
  const { url_action, secondary_url_action, url, secondary_url } = content
  const first = url_action ?? (url ? { url, title: words.open } : undefined)
  const second = secondary_url_action ?? (secondary_url ? { url: secondary_url, title: words.openSecond } : undefined)
  return [first, second].flatMap((action) => action ?? [])
}
