// An account as after a few days of use, for screenshots of the console and checks of every page.
import { instant } from '../../src/domain/instant.ts'
import type { TestUser } from './app.ts'
import { addPhone } from './devices/phone.ts'
import type { PushApp } from './fakes/push-services.ts'

type Sent = { hoursAgo: number; read?: true; answer?: string; message: Record<string, unknown> }

const SENT: Sent[] = [
  {
    hoursAgo: 52,
    read: true,
    message: {
      title: 'Backup finished',
      body: '214 GB in 41 minutes, nothing skipped.',
      level: 'passive',
      source: 'backup',
      source_display_name: 'Backup',
      thread_id: 'backup',
    },
  },
  {
    hoursAgo: 49,
    read: true,
    answer: 'yes',
    message: {
      title: 'Deploy v1.1?',
      body: 'All 209 checks are green.',
      source: 'ci',
      source_display_name: 'CI',
      thread_id: 'deploys',
      actions: [
        { id: 'yes', title: 'Deploy' },
        { id: 'no', title: 'Not now', text_input: true },
      ],
    },
  },
  {
    hoursAgo: 28,
    read: true,
    message: {
      title: 'Backup finished',
      body: '215 GB in 40 minutes, nothing skipped.',
      level: 'passive',
      source: 'backup',
      source_display_name: 'Backup',
      thread_id: 'backup',
    },
  },
  {
    hoursAgo: 26,
    read: true,
    message: {
      title: 'Washing machine is done',
      subtitle: 'Cotton 40°',
      body: 'Finished at 19:42 after 1 h 54 min.',
      source: 'home',
      source_display_name: 'Home Assistant',
    },
  },
  {
    hoursAgo: 4,
    message: {
      title: 'Backup finished',
      body: '215 GB in 43 minutes, nothing skipped.',
      level: 'passive',
      source: 'backup',
      source_display_name: 'Backup',
      thread_id: 'backup',
    },
  },
  {
    hoursAgo: 3,
    read: true,
    message: {
      title: 'Certificate expires in 14 days',
      body: 'helio.example, issued by R11. Renewal runs on Sunday.',
      source: 'certs',
      source_display_name: 'Certificates',
      url: 'https://helio.example/certs',
    },
  },
  {
    hoursAgo: 1.4,
    message: {
      title: 'Someone is at the front door',
      body: 'Motion for 40 seconds.',
      level: 'time-sensitive',
      source: 'home',
      source_display_name: 'Home Assistant',
      thread_id: 'door',
    },
  },
  {
    hoursAgo: 0.7,
    message: {
      title: 'Disk almost full on db01',
      subtitle: 'Production',
      body: '/var is at 97 % and grows by 2 GB an hour.\nAt this rate it is full at 14:20.\n\nRunbook: https://wiki.example/runbooks/disk',
      level: 'critical',
      source: 'monitoring',
      source_display_name: 'Monitoring',
      metadata: { host: 'db01.example', mount: '/var', used: '97 %' },
      actions: [
        { id: 'extend', title: 'Extend the volume' },
        { id: 'note', title: 'Reply', text_input: true, text_input_placeholder: 'A note for the others' },
        { id: 'wake', title: 'Page the next one', destructive: true },
      ],
    },
  },
  {
    hoursAgo: 0.2,
    message: {
      title: 'Deploy v1.2?',
      body: 'All 214 checks are green. 12 commits by 3 people since v1.1.',
      source: 'ci',
      source_display_name: 'CI',
      thread_id: 'deploys',
      actions: [
        { id: 'yes', title: 'Deploy' },
        { id: 'no', title: 'Not now', text_input: true },
        { id: 'diff', title: 'See the changes', url: 'https://git.example/compare/v1.1...v1.2', foreground: true },
      ],
    },
  },
]

const SCHEDULES = [
  {
    title: 'Stand-up in ten minutes',
    body: 'Room 2, or the usual link.',
    recurrence: { cron: '50 8 * * 1-5', timezone: 'Europe/Berlin' },
  },
  {
    title: 'Rotate the signing key',
    body: 'The runbook is in the wiki.',
    send_at: new Date(Date.now() + 5e8).toISOString(),
  },
]

const ALERT = {
  title: 'Water in the cellar',
  body: 'The sensor at the boiler is wet.',
  level: 'critical',
  source: 'home',
  source_display_name: 'Home Assistant',
  acknowledge: { repeat_seconds: 60, expire_seconds: 3600 },
}

const KEYS = [
  { name: 'CI', permissions: { notifications: 'schedule', activities: 'manage' }, activity_slugs: ['deploy-*'] },
  { name: 'Thermometer', permissions: { widgets: 'write' }, widget_slugs: ['office', 'room-*'] },
  { name: 'Monitoring', permissions: { notifications: 'send', emails: 'send' } },
]

const ACTIVITY = { state: 'ongoing', content: { template: 'steps', state: 'Testing', total_steps: 4, current_step: 2 } }

const WIDGETS = [
  {
    slug: 'office',
    name: 'Office',
    content: { template: 'gauge', value: 21.5, min_value: 10, max_value: 35, unit: '°C' },
  },
  { slug: 'build', name: 'Build', content: { template: 'progress', value: 0.62, label: 'v1.2' } },
]

// Moves the app's clock and leaves it at the present, because the browser uses the real time.
export async function seedAccount(app: PushApp): Promise<TestUser> {
  const present = Date.now()
  const at = (hoursAgo: number) => app.clock.set(instant(present - hoursAgo * 3_600_000))
  at(80)
  const user = await app.addUser()
  for (const key of KEYS) await app.addKey(user, key)
  await addPhone(app, { app, user, name: 'Ada’s iPhone' })
  const lost = await addPhone(app, { app, user, name: 'Old iPhone' })
  await app.put('/devices/tablet', { name: 'Kitchen tablet', platform: 'web', tags: ['kitchen'] }, user.token)
  for (const widget of WIDGETS) await app.post('/widgets', widget, user.defaultKey)
  await app.patch('/auth/me', { nickname: 'Ada' }, user.token)
  for (const { hoursAgo, read, answer, message } of SENT) {
    at(hoursAgo)
    // From here on Apple reports that the app was removed from it.
    if (hoursAgo < 1) app.apns.script(lost.token, { status: 410, reason: 'Unregistered' })
    const { id } = (await app.post('/notifications', message, user.defaultKey)).body
    if (answer) await app.post(`/notifications/${id}/answer`, { action_id: answer }, user.token)
    if (read) await app.post('/notifications/read', { ids: [id] }, user.token)
  }
  at(0.1)
  await app.post('/notifications', ALERT, user.defaultKey)
  app.clock.set(instant(present))
  await app.post('/emails/recipients', { address: 'ada@example.org' }, user.token)
  await app.call('PATCH', '/activities/deploy-v12?upsert=true', { body: ACTIVITY, token: user.defaultKey })
  for (const schedule of SCHEDULES) await app.post('/notifications/scheduled', schedule, user.defaultKey)
  return user
}
