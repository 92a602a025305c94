// Enum values of the API as German texts: those that only the other pages show.
import type * as ENGLISH from '../page-terms.ts'

export const planName: typeof ENGLISH.planName = (plan) =>
  plan === 'free' ? 'Kostenloser Tarif' : plan === 'paid' ? 'Bezahlter Tarif' : `Tarif „${plan}“`

export const GRANTS: typeof ENGLISH.GRANTS = {
  notifications: {
    none: 'Keine Benachrichtigungen',
    send: 'Benachrichtigungen senden und den Posteingang lesen',
    schedule: 'Benachrichtigungen senden und planen, den Posteingang lesen',
  },
  widgets: { none: 'Keine Widgets', read: 'Widgets lesen', write: 'Widgets lesen und ändern' },
  activities: {
    none: 'Keine Aktivitäten',
    read: 'Aktivitäten lesen',
    update: 'Aktivitäten aktualisieren',
    manage: 'Aktivitäten anlegen, aktualisieren und löschen',
  },
  emails: { none: 'Keine E-Mail', send: 'E-Mail senden' },
}

export const PLATFORMS: typeof ENGLISH.PLATFORMS = {
  ios: 'iPhone',
  ipados: 'iPad',
  macos: 'Mac',
  watchos: 'Apple Watch',
  web: 'Browser',
  android: 'Android',
  ntfy: 'ntfy-App',
  gotify: 'Gotify-App',
  bark: 'Bark-App',
}

export const CHANNELS: typeof ENGLISH.CHANNELS = {
  apns: 'Push über Apple',
  web_push: 'Push über den Dienst des Browsers',
  stream: 'nur solange es verbunden ist',
  http: 'über einen eigenen Server',
}

export const SCHEDULE_STATUSES: typeof ENGLISH.SCHEDULE_STATUSES = {
  scheduled: 'Geplant',
  sent: 'Gesendet',
  failed: 'Fehlgeschlagen',
  canceled: 'Storniert',
}

export const DELIVERIES: typeof ENGLISH.DELIVERIES = {
  all: 'auf allen Geräten',
  partial: 'auf einigen Geräten',
  none: 'auf keinem Gerät',
}

export const SCHEDULE_FAILURES: typeof ENGLISH.SCHEDULE_FAILURES = {
  quota_exceeded: 'Nicht gesendet: Das Kontingent war aufgebraucht.',
  key_revoked: 'Nicht gesendet: Der Schlüssel, der sie angelegt hat, wurde widerrufen.',
  internal_error: 'Nicht gesendet: Auf dem Server trat ein Fehler auf. Sein Log nennt den Grund.',
}

export const RECIPIENT_STATUSES: typeof ENGLISH.RECIPIENT_STATUSES = {
  pending: 'Noch nicht bestätigt',
  verified: 'Bestätigt',
  suppressed: 'Abgemeldet oder unzustellbar',
}

export const MAIL_STATUSES: typeof ENGLISH.MAIL_STATUSES = {
  sent: 'Gesendet',
  bounced: 'Zurückgewiesen',
  failed: 'Fehlgeschlagen',
  suppressed: 'Unterdrückt',
}

export const CAPS: typeof ENGLISH.CAPS = {
  devices: 'Geräte',
  keys: 'Schlüssel',
  widgets: 'Anzahl der Widgets',
  activities: 'Aktivitäten',
  ongoing_activities: 'Laufende Aktivitäten',
  pending_schedules: 'Zeitpläne',
  open_alerts: 'Offene Alarme',
  open_waits: 'Wartende Anfragen',
  event_streams: 'Ereignisströme',
  email_recipients: 'E-Mail-Empfänger',
  heartbeats: 'Heartbeats',
  escalations: 'Eskalationspläne',
  hooks: 'Eingehende Webhooks',
  received_shares: 'Erhaltene Freigaben',
  members: 'Mitglieder einer Organisation',
  unifiedpush_per_day: 'Nachrichten an andere Apps, pro Tag',
}
