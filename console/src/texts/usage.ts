// Texts of the page for usage: what was sent, by whom, and what the devices have taken.
import { inLanguage } from '../language.ts'
import { USAGE } from './german/usage.ts'

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export const ENGLISH = {
  history: (days: number) => `The last ${days} days`,
  nothing: 'Nothing was sent in this time.',
  chart: (sent: number, days: number, refused: number) =>
    `${plural(sent, 'notification', 'notifications')} in ${days} days${refused > 0 ? `, ${refused} refused` : ''}`,
  chartLabel: 'Notifications per day, stacked by source. The tables below hold the same numbers.',
  bar: (day: string, sent: number) => `${day}: ${sent}`,
  byDay: 'By day',
  day: 'Day',
  sent: 'Sent',
  notPushed: 'Not pushed',
  notPushedOf: (count: number) => `${count} not pushed`,
  refused: 'Refused',
  sources: 'Sources',
  source: 'Source',
  noSource: 'Without a source, and rare ones',
  keys: 'Programs',
  key: 'Key',
  yourself: 'You, in the console or with your token',
  deletedKey: 'A deleted key',
  lastUsed: 'Last used',
  never: 'never',
  refusals: (count: number, reason: string) => `${count} × ${reason}`,
  reasons: {
    'request.validation_failed': 'a member of the request is wrong',
    'request.body_invalid': 'the request is not valid JSON',
    'request.body_required': 'the request is empty',
    'request.too_large': 'the request is too large',
    'request.media_type_unsupported': 'the format of the request is unknown',
    'notification.invalid': 'the message breaks a rule',
    'quota.exceeded': 'the quota is used up',
    'rate_limit.exceeded': 'too many requests in a minute',
    'integration_key.permission_denied': 'the key may not do this',
    'integration_key.slug_invalid': 'the key may not use this slug',
    'integration_key.expired': 'the key has expired',
    'notification.activity_not_found': 'there is no such activity',
  } as Record<string, string>,
  devices: 'Devices',
  device: 'Device',
  accepted: 'Accepted',
  failed: 'Failed',
  notConnected: 'Not connected',
  noDelivery: 'No device was pushed to in this time.',
  mute: 'Mute',
  muteSource: (source: string) => `Mute ${source}`,
  muteTitle: (source: string) => `Mute “${source}” for how long?`,
  muteText: 'Its notifications still arrive in the inbox, but are not pushed. Critical ones are always pushed.',
  muteFor: { hour: '1 hour', evening: '8 hours', day: '1 day', week: '7 days', month: '30 days' },
  mutedNow: (source: string) => `“${source}” is muted.`,
  mutes: 'Muted now',
  muteOf: { source: 'Source', thread: 'Thread', key: 'Key' },
  until: 'until',
  unmute: 'Unmute',
  unmuteOf: (name: string) => `Unmute ${name}`,
  unmuted: 'It is pushed again.',
}

export const USAGE_TEXTS = inLanguage({ en: ENGLISH, de: USAGE })
