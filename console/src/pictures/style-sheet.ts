// The style sheets of cards for pictures: light-dark() is resolved, because a picture has one theme.
import activity from '../styles/activity.css?inline'
import activityChart from '../styles/activity-chart.css?inline'
import activityFaces from '../styles/activity-faces.css?inline'
import cardShapes from '../styles/card-shapes.css?inline'
import tokens from '../styles/tokens.css?inline'
import accessory from '../styles/widget/accessory.css?inline'
import faces from '../styles/widget/faces.css?inline'
import flow from '../styles/widget/flow.css?inline'
import frame from '../styles/widget/frame.css?inline'
import lists from '../styles/widget/lists.css?inline'
import paper from './paper.css?inline'
import reset from './picture.css?inline'

export type Scheme = 'light' | 'dark' | 'paper'

const WIDGET = [tokens, cardShapes, frame, faces, lists, flow, accessory, reset].join('\n')
const ACTIVITY = [tokens, cardShapes, activity, activityFaces, activityChart, reset].join('\n')

const SHEETS = { widget: bothSchemes(WIDGET), activity: bothSchemes(ACTIVITY) }

export const sheetOf = (kind: 'widget' | 'activity', scheme: Scheme): string => SHEETS[kind][scheme]

// A shadow is for cards on the page of the console, and takes longer to draw than the rest of the card.
function bothSchemes(sheet: string): Record<Scheme, string> {
  const css = sheet.replace(/box-shadow:[^;}]*;?/g, '')
  const light = inScheme(css, 'light')
  return { light, dark: inScheme(css, 'dark'), paper: light + paper }
}

// The rules that may concern the card. The library tries every rule on every element, so with those of all templates the layout takes up
// to twice as long.
export function concerning(html: string, css: string): string {
  const classes = new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')))
  const isPossible = (selector: string) =>
    [...selector.matchAll(/\.([\w-]+)/g)].every(([, name = '']) => classes.has(name))
  return rulesOf(css.replace(/\/\*.*?\*\//gs, ''))
    .filter(({ selectors }) => selectors.startsWith('@') || selectors.split(',').some(isPossible))
    .map(({ text }) => text)
    .join('')
}

// Those that are not inside another one.
function rulesOf(css: string): { selectors: string; text: string }[] {
  const rules = []
  let depth = 0
  let start = 0
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth > 0) continue
    const text = css.slice(start, index + 1)
    rules.push({ selectors: text.slice(0, text.indexOf('{')).trim(), text })
    start = index + 1
  }
  return rules
}

// Resolves light-dark(), because a picture has one theme.
export function inScheme(css: string, scheme: Scheme): string {
  const at = css.indexOf('light-dark(')
  if (at < 0) return css
  const start = at + 'light-dark('.length
  const [comma, end] = argumentsEnd(css, start)
  const chosen = scheme !== 'dark' ? css.slice(start, comma) : css.slice(comma + 1, end)
  return css.slice(0, at) + chosen.trim() + inScheme(css.slice(end + 1), scheme)
}

// Where the first argument and the whole list end.
function argumentsEnd(css: string, start: number): [number, number] {
  let depth = 0
  let comma = start
  for (let index = start; index < css.length; index++) {
    const char = css[index]
    if (char === '(') depth++
    else if (char === ',' && depth === 0) comma = index
    else if (char === ')' && depth-- === 0) return [comma, index]
  }
  return [comma, css.length]
}
