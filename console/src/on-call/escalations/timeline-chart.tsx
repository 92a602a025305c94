// Draws who hears of an alert when; the list of steps below says the same in words.
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import type { Step } from './draft.ts'
import { axisOf, type Lane, lanesOf, minutesOf, stepWithTime } from './timeline.ts'

type TimelineChartProps = { steps: readonly Step[]; isOrganization: boolean }

export function TimelineChart({ steps, isOrganization }: TimelineChartProps) {
  const places = axisOf(steps)
  const at = (place: number) => places[place] ?? 0
  return (
    <div class="climb" role="img" aria-label={steps.map(stepWithTime).join('. ')}>
      {lanesOf(steps, isOrganization).map((lane) => (
        <LaneRow key={lane.name} lane={lane} at={at} />
      ))}
      <div class="climb-row climb-axis">
        <span>{ESCALATION_TEXTS.minutes}</span>
        <div>
          <span style={{ left: '0%' }}>0</span>
          {steps.map((step, index) => (
            <span key={index} style={{ left: `${at(index + 1)}%` }}>
              {minutesOf(step)}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}

function LaneRow({ lane: { name, spans, marks }, at }: { lane: Lane; at: (place: number) => number }) {
  return (
    <div class="climb-row">
      <span dir="auto">{name}</span>
      <div class="climb-lane">
        {spans.map(({ from, to, level }) => (
          <span
            key={from}
            class={`climb-span climb-${level ?? 'usual'}`}
            style={{ left: `${at(from)}%`, width: `${at(to) - at(from)}%` }}
          />
        ))}
        {marks.map((place) => (
          <span key={place} class="climb-mark" style={{ left: `${at(place)}%` }} />
        ))}
      </div>
    </div>
  )
}

// The steps as a list.
export function StepList({ steps }: { steps: readonly Step[] }) {
  return (
    <ol class="climb-steps">
      {steps.map((step, index) => (
        <li key={index} dir="auto">
          {stepWithTime(step)}
        </li>
      ))}
    </ol>
  )
}
