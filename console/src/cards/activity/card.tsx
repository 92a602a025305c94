// An activity as a phone shows it: the card on the lock screen, and the compact form next to the camera.
import type { WidgetAction } from '../../../../src/contract/actions.ts'
import { CARD_TEXTS } from '../../texts/cards.ts'
import { ActionButtons } from '../action-buttons.tsx'
import { cardStyle } from '../color.ts'
import { Glyph } from '../glyph.tsx'
import { Ring } from '../shapes.tsx'
import type { ActivityContent, ShownActivity } from './content.ts'
import type { ActivityFace } from './face.ts'
import { ACTIVITY_FACES } from './faces.ts'

export function ActivityCard({ activity }: { activity: ShownActivity }) {
  const { content, name, state } = activity
  const face = faceOf(content)
  const words = (state === 'ended' && content.completion_message) || face.headline?.(content) || content.state
  return (
    <div class="activity" data-template={content.template} data-state={state} style={cardStyle(content, face.color)}>
      <header class="activity-head">
        <Picture content={content} icon={face.icon} />
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
      <ActionButtons actions={actionsOf(content)} isBrowserDefault />
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
  const face = faceOf(content)
  const { text, fraction } = face.compact(content)
  const icon = <Glyph name={content.icon || face.icon} />
  return (
    <div
      class="island"
      data-state={state}
      style={cardStyle({ ...content, background_color: '', text_color: '' }, face.color)}
    >
      <span class="hidden">{name}</span>
      {fraction === undefined ? icon : <Ring fraction={fraction} thickness={12} children={icon} />}
      <span class="island-camera" />
      <span class="island-text">{content.compact_label || text}</span>
    </div>
  )
}

const faceOf = ({ template }: ActivityContent): ActivityFace => ACTIVITY_FACES[template ?? 'generic']

function actionsOf({ url_action, secondary_url_action, url, secondary_url }: ActivityContent): WidgetAction[] {
  const first = url_action ?? (url ? { url, title: CARD_TEXTS.open } : undefined)
  const second =
    secondary_url_action ?? (secondary_url ? { url: secondary_url, title: CARD_TEXTS.openSecond } : undefined)
  return [first, second].flatMap((action) => action ?? [])
}
