// Approval template: a question with options. The first answer on any device ends it.
import type { ActivityContent, ApprovalOption, ShownActivity } from '../../../../src/domain/screens/activity-content.ts'
import { secondsLeft } from '../../../../src/domain/screens/activity-glance.ts'
import { timeLeft } from '../../../../src/domain/screens/duration.ts'
import { Glyph } from '../glyph.tsx'
import { type Press, useSurroundings, useViewer } from '../surroundings.ts'
import type { ActivityFace } from './face.ts'
import { mayAnswer } from './sharing.ts'

function Body({ activity }: { activity: ShownActivity }) {
  const viewer = useViewer()
  const { content, state } = activity
  const { options = [], details = [], source } = content
  return (
    <div class="activity-countdown">
      {(details.length > 0 || source) && (
        <dl class="approval-details">
          {source && <Detail label={viewer.words.source} value={source} />}
          {details.map(({ label, value }) => (
            <Detail key={label} label={label} value={value} />
          ))}
        </dl>
      )}
      {content.answer || state !== 'ongoing' ? (
        <Outcome content={content} />
      ) : (
        <Options activity={activity} options={options} />
      )}
      {!content.answer && content.end_date !== undefined && secondsLeft(content, viewer) > 0 && (
        <span class="face-note">{viewer.words.answerWithin(timeLeft(viewer, secondsLeft(content, viewer)))}</span>
      )}
    </div>
  )
}

function Detail({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Outcome({ content: { answer, options = [] } }: { content: ActivityContent }) {
  const { words } = useViewer()
  if (!answer) return <p class="face-note">{words.unanswered}</p>
  const option = options.find(({ id }) => id === answer.option)
  const title = option?.title ?? answer.option
  return (
    <p class="outcome" role="status" data-style={answer.by === 'user' ? (option?.style ?? 'primary') : 'expired'}>
      <Glyph name={symbolOf(answer.by, option)} />
      {answer.by === 'user' ? words.answered(title) : words.expired(title)}
    </p>
  )
}

// Only an answer of a person that is no rejection gets a tick.
function symbolOf(by: 'user' | 'expired', option: ApprovalOption | undefined): string {
  if (by === 'expired') return 'clock'
  return option?.style === 'destructive' ? 'xmark.circle' : 'checkmark.circle'
}

function Options({ activity, options }: { activity: ShownActivity; options: ApprovalOption[] }) {
  const { press, viewer } = useSurroundings()
  if (!mayAnswer(activity)) return <p class="face-note">{viewer.value.words.awaitsAnswer}</p>
  if (!press) return <p class="face-note">{options.map(({ title }) => title).join(' · ')}</p>
  return (
    <div class="options">
      {options.map((option, index) => (
        <OptionButton key={option.id} activity={activity} option={option} isFirst={index === 0} press={press} />
      ))}
    </div>
  )
}

type OptionProps = { activity: ShownActivity; option: ApprovalOption; isFirst: boolean; press: Press }

function OptionButton({ activity, option, isFirst, press }: OptionProps) {
  const { title, icon, style = isFirst ? 'primary' : 'secondary' } = option
  return (
    <button type="button" class={`option option-${style}`} onClick={() => press.answer(activity, option)}>
      {icon && <Glyph name={icon} />}
      <span>{title}</span>
    </button>
  )
}

export const approval: ActivityFace = { Body }
