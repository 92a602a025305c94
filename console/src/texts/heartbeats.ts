// Texts of heartbeats.
import type { HeartbeatView, PingView } from '../../../src/contract/heartbeats.ts'
import { inLanguage } from '../language.ts'
import { HEARTBEATS } from './german/heartbeats.ts'

const STATUSES: Record<HeartbeatView['status'], string> = {
  new: 'New',
  up: 'Up',
  started: 'Running',
  late: 'Late',
  down: 'Down',
  paused: 'Paused',
}

const KINDS: Record<PingView['kind'], string> = { success: 'Success', start: 'Start', fail: 'Failure', log: 'Note' }

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

// What an alert does, in the sentence that sums up the form.
export type AlertFacts = { grace: string; level: string; repeats: boolean }

export const ENGLISH = {
  intro: 'A job pings an address while it is alive. You get an alert when it stops.',
  none: 'No heartbeat yet',
  noneHint: 'Create one for a backup, a cron job or a device, and paste one line into it.',
  create: 'New heartbeat',
  toList: 'All heartbeats',
  missing: 'There is no such heartbeat.',
  statuses: STATUSES,
  statusHints: {
    new: 'Waiting for its first ping. Until then it never alarms.',
    up: 'The last run was a success.',
    started: 'A run has begun and not ended yet.',
    late: 'A success is due. Its grace is not over yet.',
    down: 'No success came in time, a run failed, or one did not end.',
    paused: 'Not judged until the next ping, or until you resume it.',
  } as typeof STATUSES,
  lastPing: 'Last ping',
  neverPinged: 'Never pinged',
  nextDue: 'Next due',
  overdue: 'Was due',
  took: (duration: string) => `took ${duration}`,
  every: (duration: string) => `At least every ${duration}`,
  expected: 'Expected',
  grace: 'Grace',
  maxRun: 'Longest run',
  level: 'Level of the alert',
  acknowledged: 'Acknowledgement',
  repeatsEvery: (duration: string) => `Repeats every ${duration} until someone acknowledges it`,
  once: 'The alert is pushed once',
  link: 'Link',
  widget: 'Widget',
  reaches: 'Reaches',
  settings: 'Settings',
  bars: {
    // All of a heartbeat's bars, for those who do not see them.
    label: (counts: Record<PingView['kind'], number>): string => {
      const parts = [
        counts.success > 0 && plural(counts.success, 'success', 'successes'),
        counts.fail > 0 && plural(counts.fail, 'failure', 'failures'),
        counts.start > 0 && plural(counts.start, 'start', 'starts'),
        counts.log > 0 && plural(counts.log, 'note', 'notes'),
      ].filter(Boolean)
      return `The last ${plural(
        Object.values(counts).reduce((sum, one) => sum + one, 0),
        'ping',
        'pings',
      )}: ${parts.join(', ')}`
    },
    legend: 'Taller bars took longer. A triangle marks a failure, an outline a start, a dot a note.',
  },
  kinds: KINDS,
  pings: 'The last pings',
  noPings: 'No ping yet.',
  exitStatus: (status: number) => `exit status ${status}`,
  from: (address: string) => `from ${address}`,
  body: 'What it sent',
  olderPings: 'Show older',
  address: 'Address to ping',
  addressText: 'Anyone who knows this address can ping. It needs no key.',
  noAddress: 'Only callers that may change this heartbeat see its address.',
  roll: 'New address',
  rollTitle: (name: string) => `Give “${name}” a new address?`,
  rollText: 'The old address stops working at once. Every job that pings it needs the new one.',
  rolled: 'The heartbeat has a new address.',
  waiting: 'Waiting for the first ping',
  waitingHint: 'Paste a line from below into the job, or open the address once.',
  connect: {
    title: 'Ready lines',
    tool: 'For',
    tools: {
      shell: 'Shell',
      cron: 'cron',
      systemd: 'systemd',
      github: 'GitHub Actions',
      kubernetes: 'Kubernetes',
    },
    // One for each block of lines.
    places: {
      shell: ['In a script, after the work', 'Start, work, exit status'],
      cron: ['In the crontab', 'In the crontab, with the output and the exit status'],
      systemd: ['In the unit of the service'],
      github: ['Once, in the repository', 'In the steps of the job'],
      kubernetes: ['Once, in the namespace', 'In the CronJob; the image needs curl'],
    },
  },
  pingKey: {
    title: 'Ping by slug',
    text: 'One secret address for all jobs: put the slug of a heartbeat in place of SLUG. With “create=1”, a ping makes the heartbeat if there is none: a success every day, with an hour of grace.',
    roll: 'New ping key',
    rollTitle: 'Replace the ping key?',
    rollText:
      'The old key stops working at once. Every job that pings by slug needs the new one. The addresses of heartbeats stay.',
    rolled: 'There is a new ping key.',
  },
  edit: 'Edit the heartbeat',
  pause: 'Pause',
  paused: (name: string) => `“${name}” is paused.`,
  resume: 'Resume',
  resumed: (name: string) => `“${name}” is judged again.`,
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteText: 'Its pings and its widget are deleted too, and its address stops working.',
  deleted: 'The heartbeat was deleted.',
  form: {
    name: 'Name',
    nameHint: 'Stands in the alert: “Nightly backup is down”.',
    slug: 'Slug',
    slugHint: 'Its name in the API and for “heliograph run --heartbeat”.',
    slugTaken: 'There is a heartbeat with this slug already.',
    timing: 'A success is expected',
    timings: { every: 'At intervals', times: 'At set times' },
    every: 'At least every',
    everyRange: 'Between 1 minute and 31 days.',
    grace: 'Grace',
    graceRange: 'Between 1 minute and 7 days.',
    maxRunHint: 'Empty: as long as the grace.',
    url: 'Link',
    urlHint: 'Opens when the alert is tapped: a runbook or a dashboard.',
    widget: 'Show its status as a widget',
    target: 'Without a choice the alert reaches everyone.',
    inWords: 'In words',
    incomplete: 'A name and times are needed.',
    everySentence: (duration: string) => `A success is expected at least every ${duration}.`,
    timesSentence: (series: string) => `A success is expected: ${series}.`,
    alertSentence: ({ grace, level, repeats }: AlertFacts) =>
      `If none has come ${grace} after it was due, an alert of the level “${level}” is sent${repeats ? ' and repeats until someone acknowledges it' : ''}.`,
    submit: 'Create the heartbeat',
    created: 'The heartbeat was created.',
    changed: 'The heartbeat was changed.',
  },
}

export const HEARTBEAT_TEXTS = inLanguage({ en: ENGLISH, de: HEARTBEATS })
