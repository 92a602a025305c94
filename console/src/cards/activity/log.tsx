// Log template: the latest lines, newest first.
import { CARD_TEXTS } from '../../texts/cards.ts'
import { clockTime } from '../../ui/time.tsx'
import type { LogLine, ShownActivity } from './content.ts'
import type { ActivityFace } from './face.ts'

const SHOWN_LINES = 5

function Body({ activity: { content } }: { activity: ShownActivity }) {
  return (
    <ol class="log">
      {(content.lines ?? []).slice(0, SHOWN_LINES).map((line, index) => (
        <Line key={index} line={line} />
      ))}
    </ol>
  )
}

function Line({ line: { text, at, level = 'info' } }: { line: LogLine }) {
  return (
    <li class={`log-${level}`}>
      {at !== undefined && <time>{clockTime.format(at * 1000)}</time>}
      <span>
        {level !== 'info' && <span class="hidden">{CARD_TEXTS.logLevels[level]} </span>}
        {text}
      </span>
    </li>
  )
}

export const log: ActivityFace = {
  color: 'mint',
  icon: 'terminal',
  Body,
  compact: ({ state, lines: [first] = [] }) => ({ text: state || first?.text || '' }),
}
