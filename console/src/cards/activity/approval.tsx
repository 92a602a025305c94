// Approval template: a question with options. The first answer on any device ends it.
import { ApiError, api } from '../../api/client.ts'
import { attempt, showToast } from '../../state/toasts.ts'
import { CARD_TEXTS } from '../../texts/cards.ts'
import { clockDuration } from '../../ui/duration.ts'
import { runAction } from '../action-buttons.tsx'
import { Glyph } from '../glyph.tsx'
import { noteAnswered } from './answered-here.ts'
import type { ActivityContent, ApprovalOption, ShownActivity } from './content.ts'
import { type ActivityFace, secondsLeft } from './face.ts'
import { mayAnswer, pathName } from './sharing.ts'

function Body({ activity }: { activity: ShownActivity }) {
  const { content, state } = activity
  const { options = [], details = [], source } = content
  return (
    <div class="activity-countdown">
      {(details.length > 0 || source) && (
        <dl class="approval-details">
          {source && <Detail label={CARD_TEXTS.source} value={source} />}
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
      {!content.answer && content.end_date !== undefined && secondsLeft(content) > 0 && (
        <span class="face-note">{CARD_TEXTS.answerWithin(clockDuration(secondsLeft(content)))}</span>
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
  if (!answer) return <p class="face-note">{CARD_TEXTS.unanswered}</p>
  const option = options.find(({ id }) => id === answer.option)
  const title = option?.title ?? answer.option
  return (
    <p class="outcome" role="status" data-style={answer.by === 'user' ? (option?.style ?? 'primary') : 'expired'}>
      <Glyph name={symbolOf(answer.by, option)} />
      {answer.by === 'user' ? CARD_TEXTS.answered(title) : CARD_TEXTS.expired(title)}
    </p>
  )
}

// Only an answer of a person that is no rejection gets a tick.
function symbolOf(by: 'user' | 'expired', option: ApprovalOption | undefined): string {
  if (by === 'expired') return 'clock'
  return option?.style === 'destructive' ? 'xmark.circle' : 'checkmark.circle'
}

function Options({ activity, options }: { activity: ShownActivity; options: ApprovalOption[] }) {
  if (!mayAnswer(activity)) return <p class="face-note">{CARD_TEXTS.awaitsAnswer}</p>
  return (
    <div class="options">
      {options.map((option, index) => (
        <OptionButton key={option.id} activity={activity} option={option} isFirst={index === 0} />
      ))}
    </div>
  )
}

type OptionProps = { activity: ShownActivity; option: ApprovalOption; isFirst: boolean }

function OptionButton({ activity, option, isFirst }: OptionProps) {
  const { title, icon, url, style = isFirst ? 'primary' : 'secondary' } = option
  const choose = () => (url ? runAction({ ...option, url }, false) : attempt(() => answer(activity, option)))
  return (
    <button type="button" class={`option option-${style}`} onClick={choose}>
      {icon && <Glyph name={icon} />}
      <span>{title}</span>
    </button>
  )
}

async function answer(activity: ShownActivity, { id, title }: ApprovalOption): Promise<void> {
  if (activity.id) noteAnswered(activity.id)
  try {
    await api.post(`/activities/${pathName(activity)}/answer`, { option: id })
    showToast(CARD_TEXTS.answered(title))
  } catch (error) {
    // Not an error: another device answered first, and the card will show that answer.
    if (!(error instanceof ApiError && error.code === 'notification_answer.already_answered')) throw error
    showToast(CARD_TEXTS.alreadyAnswered)
  }
}

export const approval: ActivityFace = {
  color: 'purple',
  icon: 'questionmark.circle',
  Body,
  compact: (content) => {
    const title = content.options?.find(({ id }) => id === content.answer?.option)?.title
    return { text: title ?? CARD_TEXTS.question }
  },
}
