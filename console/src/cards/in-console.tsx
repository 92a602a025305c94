// The surroundings of cards in the console: its clock and language, icons of the server, and buttons that work.
import { computed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { WidgetAction } from '../../../src/contract/actions.ts'
import type { ApprovalOption, ShownActivity } from '../../../src/domain/screens/activity-content.ts'
import { liveViewer } from '../../../src/domain/screens/viewer.ts'
import { WORDS } from '../../../src/domain/screens/words.ts'
import { ApiError, api } from '../api/client.ts'
import { callSilently, isSilent } from '../inbox/silent-call.ts'
import { language, locale } from '../language.ts'
import { attempt, showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { now } from '../ui/time.tsx'
import { noteAnswered } from './activity/answered-here.ts'
import { pathName } from './activity/sharing.ts'
import { drawingId, wantDrawing } from './drawings.ts'
import { type Surroundings, SurroundingsContext } from './surroundings.ts'

export function CardsInConsole({ children }: { children: ComponentChildren }) {
  return <SurroundingsContext.Provider value={IN_CONSOLE}>{children}</SurroundingsContext.Provider>
}

const IN_CONSOLE: Surroundings = {
  viewer: computed(() => liveViewer(language, locale, now.value)),
  IconDrawing,
  hasColors: true,
  press: {
    run: (action, isBrowserDefault) => void run(action, isBrowserDefault),
    answer: (activity, option) =>
      void (option.url ? run({ ...option, url: option.url }, false) : attempt(() => answer(activity, option))),
    snooze: (activity) =>
      void attempt(() => api.post(`/activities/${pathName(activity)}/snooze`), WORDS[language].snoozed),
  },
}

function IconDrawing({ name }: { name: string }) {
  useLayoutEffect(() => wantDrawing(name), [name])
  return <use href={`#${drawingId(name)}`} />
}

async function run(action: WidgetAction, isBrowserDefault: boolean): Promise<void> {
  if (!isSilent(action) || (isBrowserDefault && isBare(action))) {
    window.open(action.url, '_blank', 'noopener,noreferrer')
    return
  }
  await attempt(() => callSilently(action), TEXTS.detail.called(action.title || action.url))
}

// An action with a URL and nothing else.
const isBare = ({ method, headers, body, foreground }: WidgetAction): boolean =>
  [method, headers, body, foreground].every((member) => member === undefined)

async function answer(activity: ShownActivity, { id, title }: ApprovalOption): Promise<void> {
  if (activity.id) noteAnswered(activity.id)
  try {
    await api.post(`/activities/${pathName(activity)}/answer`, { option: id })
    showToast(WORDS[language].answered(title))
  } catch (error) {
    // Not an error: another device answered first, and the card will show that answer.
    if (!(error instanceof ApiError && error.code === 'notification_answer.already_answered')) throw error
    showToast(WORDS[language].alreadyAnswered)
  }
}
