// Texts of snoozing, muting, and why a device stayed silent.
import { translated } from '../language.ts'

const MUTE_CHOICES = { 1: '1 hour', 8: '8 hours', 24: '1 day', 168: '1 week' }

export const ENGLISH = {
  title: 'Snooze or mute',
  snooze: 'Snooze this notification',
  snoozeChoices: { hour: 'For an hour', evening: 'Until this evening', tomorrow: 'Until tomorrow' },
  rings: 'This alert still repeats. Acknowledge it or stop it first.',
  muteTitle: {
    source: (name: string) => `Mute everything from ${name}`,
    thread: (name: string) => `Mute the thread ${name}`,
    key: (name: string) => `Mute everything sent with the key ${name}`,
  },
  mute: 'Mute',
  muteChoices: MUTE_CHOICES,
  muteFor: (name: string, hours: keyof typeof MUTE_CHOICES) => `Mute ${name} for ${MUTE_CHOICES[hours]}`,
  untilTime: 'Until…',
  until: 'Until',
  muteUntilTime: (name: string) => `Mute ${name} until a time`,
  muteText:
    'What is muted is stored in the inbox and not pushed. Critical notifications and alerts are pushed all the same.',
  muted: (name: string, until: string) => `${name} is muted until ${until}.`,
  mutedUntil: (until: string) => `Muted until ${until}`,
  list: 'Muted',
  kinds: { source: 'Source', thread: 'Thread', key: 'Key' },
  end: 'End',
  endOf: (name: string) => `End the mute of ${name}`,
  ended: 'The mute has ended.',
  storm: {
    label: 'Pushes per minute, at most',
    hint: 'Further messages are stored and not pushed; one push a minute says how many. Empty: no limit.',
    range: (least: number, most: number) => `A whole number from ${least} to ${most}.`,
    atMost: (limit: number) => `At most ${limit} ${limit === 1 ? 'push' : 'pushes'} a minute`,
    none: 'No limit',
  },
  held: {
    muted: 'Not pushed: its source, its thread or its key was muted.',
    quietHours: (until: string) => `Not pushed: quiet hours held it until ${until}.`,
    storm: (limit: string) => `Not pushed: its sender had sent more than ${limit} pushes within a minute.`,
  },
}

export const QUIET_TEXTS = translated('quiet', ENGLISH)
