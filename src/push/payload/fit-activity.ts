// Makes an activity fit into a push: downsamples the history of a timeline, then drops members, the least important first,
// and finally cuts texts. `shortened` tells the device what to fetch from the API.
import { ACTION_SLOTS } from '../../contract/widgets.ts'
import { essentialContent } from '../../domain/activities/content.ts'
import type { ActivityContent } from '../../domain/activities/templates/content.ts'
import { giveUp, type Reduction } from '../../domain/activities/templates/template.ts'
import { isKnownMember, templateFor } from '../../domain/activities/templates/templates.ts'
import { downsampledHistory, type History } from '../../domain/activities/timeline-history.ts'
import { jsonBytes } from './fit.ts'

export type FittedActivity = { content: ActivityContent; name: string; shortened?: string[] }
type WholeActivity = { activity: { content: ActivityContent; name: string }; history?: History }
// Builds the payload of one channel from the members that are left.
type ActivityLayout = (fitted: FittedActivity) => object

export function fitActivity({ activity, history }: WholeActivity, layout: ActivityLayout, limitBytes: number): string {
  const fits = (fitted: FittedActivity) => jsonBytes(layout(fitted)) <= limitBytes
  for (const fewestPoints of history ? FEWEST_POINTS : [0]) {
    for (const fitted of candidates(activity)) {
      if (!fits(withHistory(fitted, history, fewestPoints))) continue
      return JSON.stringify(layout(withMostPoints(fitted, history, fewestPoints, fits)))
    }
  }
  return JSON.stringify(layout(barest(activity)))
}

// Fewer points than these are tried only after all members have been dropped: a chart of two points says little.
const FEWEST_POINTS = [8, 2, 0]
// Enough for a line on a lock screen.
const CUT_CHARS = 40
// The device sends these back to the server, so they must stay whole.
const NEVER_CUT = new Set(['template', 'id', 'option', 'on_expire'])

// Yields smaller and smaller versions: each drops one member more than the one before.
function* candidates({ content, name }: WholeActivity['activity']): Generator<FittedActivity> {
  const dropped = new Set<string>()
  let rest = content
  yield { content, name }
  for (const { member, reduce } of reductionsFor(content)) {
    const smaller = reduce(rest)
    if (!smaller) continue
    rest = smaller
    dropped.add(member)
    yield { content: rest, name, shortened: [...dropped] }
  }
  yield { content: cutTexts(rest, CUT_CHARS), name: cut(name, CUT_CHARS), shortened: [...dropped, 'texts'] }
}

function barest({ content, name }: WholeActivity['activity']): FittedActivity {
  const essentials = lastResort(essentialContent(content))
  return { content: cutTexts(essentials, CUT_CHARS), name: cut(name, CUT_CHARS), shortened: ['content'] }
}

// The lists of a template may still be too long; the template's own reductions shorten them.
function lastResort(content: ActivityContent): ActivityContent {
  const reductions = templateFor(content)?.reductions ?? []
  return reductions.reduce<ActivityContent>((rest, { reduce }) => reduce(rest) ?? rest, content)
}

function reductionsFor(content: ActivityContent): Reduction[] {
  const unknown = Object.keys(content).filter((member) => !isKnownMember(content, member))
  return [
    ...unknown.sort((a, b) => jsonBytes(content[b]) - jsonBytes(content[a])).map(giveUp),
    ...ACTION_SLOTS.map(withoutRequest),
    giveUp('image_thumbhash'),
    giveUp('completion_message'),
    giveUp('secondary_url_action'),
    giveUp('secondary_url'),
    ...(templateFor(content)?.reductions ?? []),
    giveUp('url_action'),
    giveUp('tap_action'),
    giveUp('image_url'),
    giveUp('url'),
    giveUp('subtitle'),
  ]
}

// The device completes an action without its body from the API before it runs it.
function withoutRequest(slot: (typeof ACTION_SLOTS)[number]): Reduction {
  return {
    member: slot,
    reduce: (content) => {
      const action = content[slot] as { headers?: unknown; body?: unknown } | undefined
      if (action?.headers === undefined && action?.body === undefined) return undefined
      const { headers: _, body: __, ...rest } = action
      return { ...content, [slot]: rest }
    },
  }
}

function withHistory(fitted: FittedActivity, history: History | undefined, pointsEach: number): FittedActivity {
  if (!history || pointsEach === 0) return fitted
  return { ...fitted, content: { ...fitted.content, history: downsampledHistory(history, pointsEach) } }
}

function withMostPoints(
  fitted: FittedActivity,
  history: History | undefined,
  fewestPoints: number,
  fits: (fitted: FittedActivity) => boolean,
): FittedActivity {
  const longest = Math.max(...Object.values(history ?? {}).map((points) => points.length), fewestPoints)
  let enough = fewestPoints
  let tooMany = longest + 1
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2)
    if (fits(withHistory(fitted, history, middle))) enough = middle
    else tooMany = middle
  }
  return withHistory(fitted, history, enough)
}

function cutTexts(content: ActivityContent, chars: number): ActivityContent {
  const visit = (node: unknown): unknown => {
    if (typeof node === 'string') return cut(node, chars)
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    const members = Object.entries(node)
    return Object.fromEntries(members.map(([name, member]) => [name, NEVER_CUT.has(name) ? member : visit(member)]))
  }
  return visit(content) as ActivityContent
}

function cut(text: string, chars: number): string {
  const characters = [...text]
  return characters.length <= chars ? text : `${characters.slice(0, chars - 1).join('')}…`
}
