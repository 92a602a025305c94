// A widget as a phone shows it, in one of its families.
import { clockTimeOf, timerText } from '../../../../src/domain/screens/format.ts'
import { WIDGET_COLORS } from '../../../../src/domain/screens/looks.ts'
import { isStale } from '../../../../src/domain/screens/validity.ts'
import { symbolOf } from '../../../../src/domain/screens/widget-glance.ts'
import { ActionButtons } from '../action-buttons.tsx'
import { cardStyle, type Severity } from '../color.ts'
import { Glyph } from '../glyph.tsx'
import { ticks } from '../shapes.tsx'
import { useSurroundings, useViewer } from '../surroundings.ts'
import { Accessory } from './accessory.tsx'
import { type Family, type HomeFamily, LOCK_FAMILIES, type LockFamily, type ShownWidget } from './face.ts'
import { WIDGET_FACES } from './faces.ts'

export function WidgetCard({ widget, family }: { widget: ShownWidget; family: Family }) {
  if (isLock(family)) return <Accessory widget={widget} family={family} />
  return <HomeCard widget={widget} family={family} />
}

const isLock = (family: Family): family is LockFamily => (LOCK_FAMILIES as readonly string[]).includes(family)

function HomeCard({ widget, family }: { widget: ShownWidget; family: HomeFamily }) {
  const { content, name } = widget
  const face = WIDGET_FACES[content.template]
  const { viewer, hasColors } = useSurroundings()
  const stale = isStale(widget, viewer.value.now)
  const isWide = family === 'extra-large'
  return (
    <div
      class={`widget ${CLASSES[family]} ${stale ? 'widget-stale' : ''}`}
      data-template={content.template}
      style={cardStyle(content, WIDGET_COLORS[content.template])}
    >
      <header class="widget-head">
        {content.icon && content.template !== 'status' && <Glyph name={content.icon} />}
        <span class="widget-name">{(!face.showsLabel && content.label) || name}</span>
        {!hasColors && content.severity && content.template !== 'status' && (
          <SeverityWord severity={content.severity} />
        )}
      </header>
      <div class="widget-body">
        <face.Body content={content} family={isWide ? 'large' : family} isWide={isWide} />
      </div>
      <Foot widget={widget} family={family} stale={stale} />
    </div>
  )
}

function SeverityWord({ severity }: { severity: Severity }) {
  const { words } = useViewer()
  return (
    <span class="severity-word">
      <Glyph name={symbolOf({ severity })} />
      <span>{words.severities[severity]}</span>
    </span>
  )
}

// The extra large one is a large one with more width.
const CLASSES: Record<HomeFamily, string> = {
  small: 'widget-small',
  medium: 'widget-medium',
  large: 'widget-large',
  'extra-large': 'widget-large widget-extra-large',
}

function Foot({ widget, family, stale }: { widget: ShownWidget; family: HomeFamily; stale: boolean }) {
  const { content, updated_at } = widget
  const { subtitle, subtitle_timer: timer, url_action, secondary_url_action } = content
  const viewer = useViewer()
  const words = timer ? timerText(viewer, timer) : subtitle
  const buttons = family === 'small' ? [url_action] : [url_action, secondary_url_action]
  return (
    <footer class="widget-foot">
      {stale && (
        <span class="as-of">
          <Glyph name="clock" />
          {viewer.words.asOf(clockTimeOf(viewer, Date.parse(updated_at)))}
        </span>
      )}
      {words && (family !== 'small' || timer) && !(stale && family === 'small') && (
        <span class="subtitle" {...(timer && ticks(Date.parse(timer.date), 1.25))}>
          {words}
        </span>
      )}
      <ActionButtons actions={buttons.flatMap((action) => action ?? [])} isBrowserDefault={false} />
    </footer>
  )
}
