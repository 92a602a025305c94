// German texts of the wall and of the page that arranges it.
import type { ENGLISH } from '../wall.ts'

export const WALL: typeof ENGLISH = {
  title: 'Wand',
  open: 'Wand öffnen',
  arrange: 'Anordnen',
  arrangeTitle: 'Wand anordnen',
  intro:
    'Alle Widgets auf einem Bildschirm, zum Beispiel auf einem Tablet. Reihenfolge und Größen sind auf jedem Bildschirm gleich.',
  fullScreen: 'Vollbild',
  empty: 'Es gibt noch kein Widget.',
  revoked: 'Dieser Link gilt nicht mehr.',
  unreadable: 'Die Widgets können gerade nicht geladen werden.',
  order: 'Reihenfolge und Größen',
  clock: 'Uhrzeit anzeigen',
  sizes: { small: 'Klein', medium: 'Mittel', large: 'Groß' },
  sizeOf: (name) => `Größe von ${name}`,
  moveUp: (name) => `${name} nach oben`,
  moveDown: (name) => `${name} nach unten`,
  links: 'Links für Bildschirme',
  linksHint:
    'Ein Link zeigt die Wand ohne Anmeldung. Wer ihn hat, sieht Ihre Widgets und nichts sonst, bis Sie ihn widerrufen.',
  noLinks: 'Es gibt noch keinen Link.',
  linkName: 'Wo wird er angezeigt?',
  linkPlaceholder: 'Tablet in der Küche',
  makeLink: 'Link anlegen',
  made: (name) => `Der Link für „${name}“ wird einmal angezeigt. Öffnen Sie ihn auf diesem Bildschirm:`,
  done: 'Fertig',
  madeAt: 'angelegt',
  unnamed: 'Widget-Token eines Betreibers',
  revoke: 'Widerrufen',
  revokeTitle: (name) => `Den Link von „${name}“ widerrufen?`,
  revokeText: 'Der Bildschirm, der ihn anzeigt, wird sofort getrennt.',
}
