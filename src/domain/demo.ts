// The script of the demonstration as data: what happens on the devices, and when.
import type { ActivityPatch } from '../contract/activities.ts'
import type { DEMO_MODES } from '../contract/demo.ts'
import type { NotificationInput } from '../contract/notifications/notification.ts'
import type { WidgetContentPatch } from '../contract/widgets.ts'
import type { UserId } from './caller.ts'
import { type Instant, plusSeconds } from './instant.ts'
import type { NotificationId } from './notifications/notification.ts'

export type DemoId = string & { readonly of: 'demo' }

export type Demo = {
  id: DemoId
  userId: UserId
  mode: (typeof DEMO_MODES)[number]
  // The next step.
  step: number
  startedAt: Instant
  // After this time another demonstration may start, whatever became of this one.
  endsAt: Instant
  notificationId: NotificationId | null
}

export type DemoStep = {
  afterSeconds: number
  build?: ActivityPatch
  tea?: ActivityPatch
  gauge?: WidgetContentPatch
  notification?: NotificationInput
}

const BUILD = { template: 'steps', total_steps: 4, step_labels: ['Lint', 'Build', 'Test', 'Deploy'] }
const TEA = { template: 'countdown', duration: 20, warning_threshold: 8, completion_message: 'Tea is ready' }

// The last step removes everything.
export const DEMO_SCRIPT: readonly DemoStep[] = [
  {
    afterSeconds: 0,
    build: { state: 'ongoing', content: { ...BUILD, current_step: 1, state: 'Linting', icon: 'hammer.fill' } },
    gauge: { value: 21 },
  },
  { afterSeconds: 8, build: { content: { current_step: 2, state: 'Building' } }, gauge: { value: 38 } },
  {
    afterSeconds: 16,
    build: { content: { current_step: 3, state: 'Testing' } },
    tea: { state: 'ongoing', content: TEA },
  },
  {
    afterSeconds: 24,
    gauge: { value: 87, severity: 'warning' },
    notification: {
      title: 'Deploy the demonstration?',
      body: 'This is how a question looks. Press a button: the answer goes back to the sender.',
      source_display_name: 'Heliograph',
      actions: [
        { id: 'yes', title: 'Deploy' },
        { id: 'no', title: 'Not now' },
      ],
    },
  },
  {
    afterSeconds: 40,
    build: { content: { current_step: 4, state: 'Deploying' } },
    gauge: { value: 52, severity: null },
  },
  { afterSeconds: 50, build: { state: 'ended', content: { state: 'Deployed', accent_color: 'green' } } },
  { afterSeconds: 60 },
]

// A steps activity, a countdown, a widget and a notification.
export const DEMO_SEQUENCES = 4
export const DEMO_SECONDS = DEMO_SCRIPT.at(-1)?.afterSeconds ?? 0

// Longer than the script takes. Bounds how long an interrupted demonstration blocks the next one.
const LONGEST_SECONDS = { auto: 2 * DEMO_SECONDS, manual: 600 }

export const newDemo = (demo: Pick<Demo, 'id' | 'userId' | 'mode'>, now: Instant): Demo => ({
  ...demo,
  step: 0,
  startedAt: now,
  endsAt: plusSeconds(now, LONGEST_SECONDS[demo.mode]),
  notificationId: null,
})

// Contains the demo id, so that it never meets a slug of the account.
export const demoSlug = ({ id }: Demo, what: 'build' | 'tea' | 'gauge'): string => `demo-${what}-${id.slice(0, 8)}`
