// Enum values of the API as German texts: those that the inbox shows.
import type * as ENGLISH from '../terms.ts'

export const LEVELS: typeof ENGLISH.LEVELS = {
  passive: 'Passiv',
  active: 'Aktiv',
  'time-sensitive': 'Dringend',
  critical: 'Kritisch',
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
