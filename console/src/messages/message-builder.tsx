// The form for messages: those of a person, those of an organization, and schedules of both. With a preview, the server's
// verdict and the equivalent curl command.
import '../styles/builder.css'
import '../styles/messages.css'
import { useLocation } from 'preact-iso'
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import type { ScheduleView } from '../../../src/contract/schedules.ts'
import { api } from '../api/client.ts'
import { type ApiRequest, asCurl } from '../builder/draft.ts'
import { type Check, errorAt, send, useCheck } from '../builder/use-check.ts'
import { Verdict } from '../builder/verdict.tsx'
import { TargetFields } from '../organizations/target-fields.tsx'
import { isTimingComplete, type When } from '../schedules/timing.ts'
import { TimingFields } from '../schedules/timing-fields.tsx'
import { useKeptDraft } from '../state/kept-draft.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { MESSAGE_TEXTS } from '../texts/messages.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { SCHEDULE_TEXTS } from '../texts/schedules.ts'
import { Copyable } from '../ui/copy.tsx'
import { ResourceForm } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { ButtonFields } from './button-fields.tsx'
import { ContentFields } from './content-fields.tsx'
import { isComplete, type MessageDraft, PERSONAL, patchOf, placeOf, requestOf, toNotification } from './draft.ts'
import { MessagePreview } from './preview.tsx'
import { RepetitionFields } from './repetition-fields.tsx'

export type MessageBuilderProps = {
  initial: MessageDraft
  choices: readonly When[]
  // The organization that sends it; else the person.
  organization?: Pick<OrganizationView, 'id' | 'name'>
  // The schedule that is changed; else a new message is made.
  schedule?: ScheduleView
  // The page that Cancel leads to.
  home: string
  // `id` is that of the notification or of the schedule.
  onDone: (when: When, id: number) => void
}

// Places in a request for which the form has fields that show the refusal.
const PLACES = ['title', 'body', 'url', 'media', 'actions']

export function MessageBuilder({ initial, choices, organization, schedule, home, onDone }: MessageBuilderProps) {
  const { url } = useLocation()
  const kept = useKeptDraft(`${url} ${schedule?.id ?? ''}`, () => initial)
  const { draft, change } = kept
  const place = organization ? placeOf(organization.id) : PERSONAL
  const check = useCheck(isComplete(draft) ? checksOf(draft, { organization, schedule }) : undefined)
  const { when } = draft.timing
  const save = async () => {
    let id = 0
    const work = async () => {
      id = schedule ? await changeSchedule(schedule, draft, place.schedules) : await sendNew(requestOf(draft, place))
    }
    if (await attempt(work, schedule ? SCHEDULE_TEXTS.changed : MESSAGE_TEXTS.done[when])) {
      kept.forget()
      onDone(when, id)
    }
  }
  // When it is sent is what a schedule is about, so it comes first there.
  const isPlan = !choices.includes('now')
  const timing = (
    <TimingFields
      timing={draft.timing}
      choices={choices}
      path={place.schedules}
      onChange={(timing) => change({ timing })}
    />
  )
  return (
    <>
      <div class="builder">
        <MessagePreview draft={draft} sender={organization?.name} />
        <ResourceForm
          class="form builder-form"
          save={save}
          submit={schedule ? TEXTS.save : MESSAGE_TEXTS.submit[when]}
          isComplete={isComplete(draft) && check.state === 'valid'}
          kept={kept}
          cancel={home}
        >
          {isPlan && timing}
          <ContentFields draft={draft} check={check} onChange={change} />
          <ButtonFields
            buttons={draft.buttons}
            errorOf={(index) => errorAt(check, `actions[${index}]`)}
            onChange={(buttons) => change({ buttons })}
          />
          <RepetitionFields
            repetition={draft.repetition}
            escalations={place.escalations}
            onChange={(repetition) => change({ repetition })}
          />
          {organization ? (
            <TargetFields
              orgId={organization.id}
              by="name"
              hint={ORG_TEXTS.target.hint}
              draft={draft.target}
              onChange={(target) => change({ target })}
            />
          ) : (
            <DevicesField isPushed={draft.isPushed} onChange={(isPushed) => change({ isPushed })} />
          )}
          {!isPlan && timing}
          {isComplete(draft) ? <Verdict check={check} places={PLACES} /> : <Incomplete timing={draft.timing} />}
          {organization && <Reach check={check} when={when} />}
        </ResourceForm>
      </div>
      {!schedule && <Curl request={requestOf(draft, PERSONAL)} isForOrganization={organization !== undefined} />}
    </>
  )
}

// PATCH has no dry run, and a new schedule is refused when all places for schedules are taken. So a schedule that is changed
// is checked as a notification that is sent now; so is one of an organization, because only that answers with the reach.
function checksOf(
  draft: MessageDraft,
  { organization, schedule }: Pick<MessageBuilderProps, 'organization' | 'schedule'>,
) {
  const place = organization ? placeOf(organization.id) : PERSONAL
  const now: ApiRequest = { method: 'POST', path: place.sends, body: toNotification(draft) }
  if (schedule || draft.timing.when === 'now') return [now]
  return organization ? [requestOf(draft, place), now] : [requestOf(draft, place)]
}

async function sendNew(request: ApiRequest): Promise<number> {
  return ((await send(request)) as { id: number }).id
}

async function changeSchedule(schedule: ScheduleView, draft: MessageDraft, path: string): Promise<number> {
  const patch = patchOf(schedule, draft)
  if (patch) await api.patch(`${path}/${schedule.id}`, patch)
  return schedule.id
}

function DevicesField({ isPushed, onChange }: { isPushed: boolean; onChange: (isPushed: boolean) => void }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={isPushed} onChange={(event) => onChange(event.currentTarget.checked)} />
      {MESSAGE_TEXTS.push}
    </label>
  )
}

const Incomplete = ({ timing }: { timing: MessageDraft['timing'] }) => (
  <p class="verdict" role="status">
    {isTimingComplete(timing) ? MESSAGE_TEXTS.incomplete : MESSAGE_TEXTS.incompletePlan}
  </p>
)

// The last answer is that of a notification that is sent now.
function Reach({ check, when }: { check: Check; when: When }) {
  if (check.state !== 'valid') return null
  const answer = check.answers.at(-1) as { would: { recipients?: { members: number; devices: number } } } | undefined
  if (!answer?.would.recipients) return null
  return (
    <p class="note" role="status">
      <Icon name="people" size={18} />
      <span>
        {ORG_TEXTS.sent.wouldReach(answer.would.recipients)} {when !== 'now' && ORG_TEXTS.sent.decidedLater}
      </span>
    </p>
  )
}

// A key of an organization sends with the same path as that of a person.
function Curl({ request, isForOrganization }: { request: ApiRequest; isForOrganization: boolean }) {
  return (
    <section class="card section">
      <h2>{MESSAGE_TEXTS.curl}</h2>
      <p class="muted">{isForOrganization ? MESSAGE_TEXTS.curlHintOrganization : MESSAGE_TEXTS.curlHint}</p>
      <div class="curl">
        <Copyable text={asCurl([request], location.origin)} label="curl" />
      </div>
    </section>
  )
}
