// German texts of escalation policies.
import type { ENGLISH } from '../escalations.ts'

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export const ESCALATIONS: typeof ENGLISH = {
  intro: 'Was geschieht, solange niemand einen Alarm bestätigt: lauter und an mehr Menschen, Schritt für Schritt.',
  none: 'Noch kein Plan',
  noneHint:
    'Einen anlegen, dann in einer Nachricht wählen, die sich bis zur Bestätigung wiederholt, oder in einem Heartbeat.',
  create: 'Neuer Plan',
  toList: 'Alle Pläne',
  missing: 'Diesen Plan gibt es nicht.',
  edit: 'Plan bearbeiten',
  lanes: { devices: 'Ihre Geräte', receivers: 'Erste Empfänger' },
  minutes: 'Minuten',
  pushedAgain: (level, every) =>
    [level ? `noch einmal gepusht als „${level}“` : 'noch einmal gepusht', every && `dann im Abstand von ${every}`]
      .filter(Boolean)
      .join(', '),
  emailed: (addresses) => `E-Mail an ${addresses}`,
  alsoTo: (target) => `auch an ${target}`,
  called: (host) => `Callback an ${host}`,
  stepLine: (time, does) => `Nach ${time}: ${does}`,
  deleteTitle: (name) => `„${name}“ löschen?`,
  deleteText: 'Alarme, die schon gesendet sind, behalten ihre Schritte.',
  delete: 'Löschen',
  deleteAnyway: 'Trotzdem löschen',
  deleted: 'Der Plan wurde gelöscht.',
  deleteLabel: (name) => `${name} löschen`,
  editLabel: (name) => `${name} bearbeiten`,
  usedBy: ({ heartbeats, hooks, schedules }) => {
    const parts = [
      heartbeats > 0 && plural(heartbeats, 'Heartbeat', 'Heartbeats'),
      hooks > 0 && plural(hooks, 'Webhook', 'Webhooks'),
      schedules > 0 && plural(schedules, 'Zeitplan', 'Zeitpläne'),
    ].filter(Boolean)
    return `Verwendet von: ${parts.join(', ')}. Deren Alarme hätten keine Schritte mehr.`
  },
  field: 'Eskalation',
  fieldHint: 'Was geschieht, solange niemand bestätigt.',
  noPolicy: 'Keine',
  form: {
    name: 'Name',
    slug: 'Slug',
    slugHint: 'Der Name in der API: {"acknowledge": {"escalation": "…"}}.',
    slugTaken: 'Einen Plan mit diesem Slug gibt es schon.',
    step: (number) => `Schritt ${number}`,
    after: 'Nach',
    afterRange: 'Zwischen 1 Minute und 3 Stunden.',
    afterLater: 'Später als der Schritt davor.',
    level: 'Stufe',
    keep: 'Wie bisher',
    repeat: 'Wiederholen alle',
    emails: 'E-Mail an',
    noRecipients: 'E-Mail braucht einen bestätigten Empfänger.',
    toRecipients: 'Einen hinzufügen',
    target: 'Auch an diese Mitglieder. Ohne Auswahl kommt niemand hinzu.',
    callback: 'Callback-Adresse',
    callbackHint: 'https; bekommt einen signierten POST „notification.escalated“.',
    noEffect: 'Eine Stufe, einen Empfänger oder einen Callback wählen.',
    addStep: 'Schritt hinzufügen',
    removeStep: (number) => `Schritt ${number} entfernen`,
    preview: 'Wer wann davon hört',
    incomplete: 'Jeder Schritt braucht eine spätere Zeit und eine Wirkung.',
    submit: 'Plan anlegen',
    created: 'Der Plan wurde angelegt.',
    changed: 'Der Plan wurde geändert.',
  },
}
