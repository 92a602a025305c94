// Enum values of the API as German texts.
import type * as ENGLISH from '../terms.ts'

export const planName: typeof ENGLISH.planName = (plan) =>
  plan === 'free' ? 'Kostenloser Tarif' : plan === 'paid' ? 'Bezahlter Tarif' : `Tarif „${plan}“`

export const LEVELS: typeof ENGLISH.LEVELS = {
  passive: 'Passiv',
  active: 'Aktiv',
  'time-sensitive': 'Dringend',
  critical: 'Kritisch',
}

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

export const TIMELINE: typeof ENGLISH.TIMELINE = {
  accepted: 'Vom Server angenommen',
  stored: 'Im Posteingang gespeichert',
  muted: 'Stummgeschaltet',
  quiet_hours: 'Ruhezeit:',
  storm: 'Nachrichtenflut:',
  held: 'Zurückgehalten für',
  push_sent: 'An den Push-Dienst gesendet:',
  push_accepted: 'Vom Push-Dienst angenommen:',
  push_rejected: 'Abgelehnt:',
  not_connected: 'Nicht verbunden:',
  retried: 'Neuer Versuch folgt:',
  no_receipt: 'Wiederholt sich nicht und eskaliert nicht:',
  receipt_shared: 'Wiederholt sich und eskaliert zusammen mit Alarm',
  repeated: 'Wiederholt',
  escalated: 'Eskaliert, Schritt',
  members_added: 'An weitere Mitglieder gesendet:',
  emailed: 'E-Mail an',
  email_refused: 'Keine E-Mail an',
  opened: 'Geöffnet:',
  read: 'Gelesen',
  answered: 'Beantwortet',
  acknowledged: 'Bestätigt',
  expired: 'Ohne Bestätigung abgelaufen',
  canceled: 'Abgebrochen',
  callback_attempt: 'Rückmeldung an den Absender gesendet',
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

export const CANCEL_REASONS: typeof ENGLISH.CANCEL_REASONS = {
  api: 'Beendet',
  tag: 'Zusammen mit anderen desselben Schlagworts beendet',
  superseded: 'Durch einen neueren ersetzt',
  key_revoked: 'Beendet: Der Schlüssel des Absenders wurde widerrufen',
  deleted: 'Beendet: Die Benachrichtigung wurde gelöscht',
  resolved: 'Beendet: Die Störung ist behoben',
}

// Explanations of push service errors, by a part of the error text.
export const PUSH_ERRORS: typeof ENGLISH.PUSH_ERRORS = {
  Unregistered: 'Die App wurde von diesem Gerät entfernt, oder ihre Mitteilungen wurden ausgeschaltet.',
  BadDeviceToken: 'Apple kennt die Adresse dieses Geräts nicht. Die App dort einmal öffnen.',
  ExpiredToken: 'Die Adresse dieses Geräts ist abgelaufen. Die App dort einmal öffnen.',
  DeviceTokenNotForTopic: 'Die Adresse gehört zu einer anderen App. HELIOGRAPH_APNS_TOPIC prüfen.',
  'no APNs key': 'Dieser Server hat keinen APNs-Schlüssel und kann deshalb nicht an Apple-Geräte pushen.',
  InvalidProviderToken:
    'Apple akzeptiert den APNs-Schlüssel des Servers nicht. Schlüssel, Schlüssel-ID und Team-ID prüfen.',
  TooManyRequests: 'Der Push-Dienst verlangt weniger Pushes an dieses Gerät.',
  gone: 'Der Browser hat dieses Abonnement beendet. Den Browser neu hinzufügen.',
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
  heartbeats: 'Lebenszeichen',
  escalations: 'Eskalationspläne',
  hooks: 'Eingehende Webhooks',
  received_shares: 'Erhaltene Freigaben',
  members: 'Mitglieder einer Organisation',
  unifiedpush_per_day: 'Nachrichten an andere Apps, pro Tag',
}
