// Draws a card as an SVG: the components of the console, laid out by satori with the bundled fonts.
import { render } from 'preact-render-to-string'
import satori, { type Font } from 'satori'
import type { PictureTask, Shown } from '../../../src/domain/screens/picture.ts'
import { stillViewer } from '../../../src/domain/screens/viewer.ts'
import { ActivityCard, ActivityCompact } from '../cards/activity/card.tsx'
import { cssColor, schemeOn } from '../cards/color.ts'
import { SurroundingsContext } from '../cards/surroundings.ts'
import { WidgetCard } from '../cards/widget/card.tsx'
import { elementsOf } from './elements.ts'
import { type Scheme, sheetOf } from './style-sheet.ts'

export async function drawSvg(task: PictureTask, fonts: Font[]): Promise<string> {
  const { shown, width, height, theme, lang, tz, now, icons, title } = task
  const surroundings = { viewer: { value: stillViewer(lang, tz, now) }, IconDrawing: drawingFrom(icons) }
  const html = render(
    <SurroundingsContext.Provider value={surroundings}>
      <Card shown={shown} />
    </SurroundingsContext.Provider>,
  )
  const css = sheetOf('widget' in shown ? 'widget' : 'activity', schemeOf(shown, theme))
  const style = { display: 'flex', width: '100%', height: '100%', fontFamily: 'Noto Sans' }
  const children = [{ type: 'style', props: { children: css } }, ...elementsOf(html)]
  const picture = { type: 'div', props: { style, children } }
  const options = { width, ...(height !== undefined && { height }), fonts }
  // Its types are those of React, and it takes any tree of this form.
  const svg = await satori(picture as never, options as never)
  return svg.replace(
    /^<svg ([^>]*)>/,
    (_, attributes) => `<svg role="img" ${attributes}><title>${escaped(title)}</title>`,
  )
}

function Card({ shown }: { shown: Shown }) {
  if ('widget' in shown) return <WidgetCard widget={shown.widget} family={shown.family} />
  return shown.family === 'card' ? (
    <ActivityCard activity={shown.activity} />
  ) : (
    <ActivityCompact activity={shown.activity} />
  )
}

const drawingFrom =
  (icons: Record<string, string>) =>
  ({ name }: { name: string }) => (
    <g dangerouslySetInnerHTML={{ __html: Object.hasOwn(icons, name) ? (icons[name] ?? '') : '' }} />
  )

// A card with a background of its own has the scheme in which its text is readable.
function schemeOf(shown: Shown, theme: Scheme): Scheme {
  const { content } = 'widget' in shown ? shown.widget : shown.activity
  const background = cssColor(content.background_color)
  const scheme = background ? schemeOn(background) : 'inherit'
  return scheme === 'inherit' ? theme : scheme
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITIES[char] as string)
