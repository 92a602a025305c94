// Log template: the latest lines, newest first.
import type { LogLine, ShownActivity } from '../../../../src/domain/screens/activity-content.ts'
import { clockTimeOf } from '../../../../src/domain/screens/format.ts'
import { useViewer } from '../surroundings.ts'
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
  const viewer = useViewer()
  return (
    <li class={`log-${level}`}>
      {at !== undefined && <time>{clockTimeOf(viewer, at * 1000)}</time>}
      <span>
        {level !== 'info' && <span class="hidden">{viewer.words.logLevels[level]} </span>}
        {text}
      </span>
    </li>
  )
}

export const log: ActivityFace = { Body }
