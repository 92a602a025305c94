// Draws a card as an SVG: the components of the console, laid out by satori with the bundled fonts.
import { render } from 'preact-render-to-string'
import satori, { type SatoriNode } from 'satori'
import type { TimerHole } from '../../../src/contract/screens/texts.ts'
import { ACTIVITY_LOOKS } from '../../../src/domain/screens/looks.ts'
import type { PictureTask, Shown } from '../../../src/domain/screens/picture.ts'
import { stillViewer } from '../../../src/domain/screens/viewer.ts'
import { ActivityCard, ActivityCompact } from '../cards/activity/card.tsx'
import { cssColor, schemeOn } from '../cards/color.ts'
import { Glyph } from '../cards/glyph.tsx'
import { SurroundingsContext } from '../cards/surroundings.ts'
import { WidgetCard } from '../cards/widget/card.tsx'
import { Badge } from './badge.tsx'
import { inBothThemes } from './both-themes.ts'
import { elementsOf } from './elements.ts'
import { finished } from './finished.ts'
import { lettersOf } from './letters.ts'
import { onPaper } from './paper.ts'
import { drawSheet } from './sheet.ts'
import { withSameStrokes } from './strokes.ts'
import { concerning, inScheme, type Scheme, sheetOf } from './style-sheet.ts'
import { variationOf } from './variations.ts'

export async function drawSvg(task: PictureTask): Promise<string> {
  const { shown } = task
  if ('sheet' in shown) return drawSheet(task, shown)
  if (task.theme !== 'auto') return drawIn(task, task.theme)
  const [light, dark] = [await drawIn(task, 'light'), await drawIn(task, 'dark')]
  return light === dark ? light : inBothThemes(light, dark)
}

// The place of the timer; null if there is none.
export async function findHole(task: PictureTask): Promise<string> {
  let hole: TimerHole | null = null
  await drawIn(task, 'light', ({ left: x, top: y, width, height, props }) => {
    const { 'data-ticks': date, 'data-align': align, 'data-line': line } = props
    if (date && !hole) hole = { x, y, width, height, font_size: height / Number(line), align, date }
  })
  return JSON.stringify(hole)
}

// The card as a browser could draw it too, with the fonts of pictures.
export function pageOf(task: PictureTask, theme: Scheme): { html: string; css: string } {
  const { lang, tz, now, icons, layer } = task
  const shown = onGround(task)
  const surroundings = {
    viewer: { value: stillViewer(lang, tz, now) },
    IconDrawing: drawingFrom(icons),
    hasColors: theme !== 'paper',
  }
  const html = render(
    <SurroundingsContext.Provider value={surroundings}>
      {layer === 'icon' ? <Icon shown={shown} /> : <Card shown={shown} />}
    </SurroundingsContext.Provider>,
  )
  const scheme = schemeOf(shown, theme)
  const css = sheetOf('widget' in shown ? 'widget' : 'activity', scheme) + inScheme(variationOf(task), scheme)
  return { html, css }
}

// The library puts boxes on whole pixels, of which a point has so many. Those of an SVG are not known.
const densityOf = ({ format, scale }: PictureTask): number => (format === 'png' || format === 'bmp' ? scale : 2)

export async function drawIn(task: PictureTask, theme: Scheme, onNodeDetected?: OnNode): Promise<string> {
  const { width, height, colors } = task
  const { html, css } = pageOf(task, theme)
  const style = { display: 'flex', width: '100%', height: '100%', fontFamily: 'Noto Sans', ...OFF_TIES }
  const elements = theme === 'paper' ? onPaper(elementsOf(html), colors) : elementsOf(html)
  const { fonts, writing } = await lettersOf(elements)
  const children = [
    { type: 'style', props: { children: concerning(html, css) } },
    ...(writing?.prepared(elements) ?? elements),
  ]
  const picture = { type: 'div', props: { style, children } }
  const options = {
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    fonts,
    embedFont: !writing,
    pointScaleFactor: densityOf(task),
    onNodeDetected,
  }
  // Its types are those of React, and it takes any tree of this form.
  const svg = await satori(picture as never, options as never)
  return finished(withSameStrokes(writing?.drawn(svg) ?? svg), task)
}

// satori 0.63 rounds the left and the right side of a box, each to a pixel. In a centered box both may lie on half a pixel, and an error
// of the last digit then rounds them differently: the box is a pixel narrower than its text, and satori cuts the text.
const OFF_TIES = { position: 'relative', left: 0.01 } as const

type OnNode = (node: SatoriNode) => void

// What is shown, with the colours that fit the ground on which it is drawn.
function onGround({ shown, background, layer }: PictureTask): Shown {
  const isPlain = layer !== 'all' || background === 'none' || ON_OTHERS.has(shown.family)
  const ground = background.startsWith('#') ? background : isPlain ? '' : undefined
  if (ground === undefined) return shown
  const colors = { background_color: ground, text_color: '' }
  if ('widget' in shown) {
    return { ...shown, widget: { ...shown.widget, content: { ...shown.widget.content, ...colors } } }
  }
  if (!('activity' in shown)) return shown
  return { ...shown, activity: { ...shown.activity, content: { ...shown.activity.content, ...colors } } }
}

// Those have no ground of their own.
const ON_OTHERS = new Set<Shown['family']>(['circular', 'rectangular', 'inline', 'compact'])

function Card({ shown }: { shown: Shown }) {
  if ('widget' in shown) return <WidgetCard widget={shown.widget} family={shown.family} />
  if ('badge' in shown) return <Badge {...shown.badge} />
  if (!('activity' in shown)) return <p class="words">{'words' in shown && shown.words}</p>
  return shown.family === 'card' ? (
    <ActivityCard activity={shown.activity} />
  ) : (
    <ActivityCompact activity={shown.activity} />
  )
}

function Icon({ shown }: { shown: Shown }) {
  const content = contentOf(shown)
  const usual = 'activity' in shown ? ACTIVITY_LOOKS[shown.activity.content.template ?? 'generic'].icon : undefined
  const name = content?.icon || usual
  return <div class="icon-alone">{name && <Glyph name={name} />}</div>
}

const drawingFrom =
  (icons: Record<string, string>) =>
  ({ name }: { name: string }) => (
    <g dangerouslySetInnerHTML={{ __html: Object.hasOwn(icons, name) ? (icons[name] ?? '') : '' }} />
  )

function contentOf(shown: Shown) {
  if ('widget' in shown) return shown.widget.content
  return 'activity' in shown ? shown.activity.content : undefined
}

// A card with a background of its own has the scheme in which its text is readable.
function schemeOf(shown: Shown, theme: Scheme): Scheme {
  if (theme === 'paper') return theme
  const background = cssColor(contentOf(shown)?.background_color)
  const scheme = background ? schemeOn(background) : 'inherit'
  return scheme === 'inherit' ? theme : scheme
}
