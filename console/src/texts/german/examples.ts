// German texts of the example widgets and activities with which a builder starts.
import type { ENGLISH } from '../examples.ts'

export const EXAMPLES: typeof ENGLISH = {
  widgets: {
    value: {
      name: 'Besucher',
      label: 'Besucher heute',
      subtitle: '12 % mehr als letzten Sonntag',
      rows: { new: 'Neue', returning: 'Wiederkehrende', longest: 'Längster Besuch' },
    },
    progress: { name: 'Datensicherung', label: 'Datensicherung', subtitle: '134 von 216 GB' },
    status: { name: 'Produktion', label: 'Alles in Betrieb', subtitle: '14 von 14 Prüfungen sind grün' },
    gauge: { name: 'Büro', subtitle: 'Fenster geschlossen' },
    stat_list: {
      name: 'Builds',
      rows: {
        passed: 'Heute bestanden',
        median: 'Median der Dauer',
        sinceFailure: 'Seit letztem Fehler',
        queue: 'Warteschlange',
        coverage: 'Abdeckung',
      },
    },
    trend: { name: 'Latenz', subtitle: 'p95 der letzten zwei Stunden' },
    countdown: { name: 'Version 2.0', expired: 'Sie ist da' },
    battery: { name: 'Batterien', devices: { door: 'Haustür', watch: 'Uhr', phone: 'Telefon', car: 'Auto' } },
    schedule: { name: 'Strompreis', label: 'Preis pro kWh' },
    flow: { name: 'Strom im Haus', solar: 'Solar', grid: 'Netz', battery: 'Batterie', home: 'Haus' },
  },
  activities: {
    generic: { name: 'Waschmaschine', state: 'Spülen', subtitle: 'Baumwolle 40°' },
    countdown: { name: 'Pizza', state: 'Im Ofen', completion: 'Die Pizza ist fertig' },
    steps: {
      name: 'Deploy v1.2',
      state: 'Die Tests laufen',
      labels: ['Auschecken', 'Bauen', 'Testen', 'Canary', 'Ausrollen'],
    },
    alert: {
      state: 'Festplatte fast voll',
      subtitle: '/var ist zu 97 % belegt',
      severity: 'Kritisch',
      runbook: 'Anleitung',
    },
    gauge: { name: 'Auto', state: 'Lädt mit 11 kW' },
    timeline: { name: 'API', state: 'Die Latenz sinkt wieder', limit: 'Grenze' },
    board: {
      name: 'Laden',
      state: 'Ein lebhafter Sonntag',
      tiles: { orders: 'Bestellungen', revenue: 'Umsatz', returns: 'Retouren', queue: 'Warteschlange' },
    },
    log: {
      name: 'Nächtlicher Import',
      state: '8 von 12 Dateien',
      rows: (file, count) => `${file}: ${count.toLocaleString('de')} Zeilen`,
      skipped: (file, count) => `${file}: ${count} Zeilen übersprungen`,
      unreadable: (file) => `${file}: nicht lesbar`,
    },
    media: { name: 'Wohnzimmer' },
    approval: {
      name: 'Version',
      state: 'v1.2 in Produktion bringen?',
      commit: 'Commit',
      checks: 'Prüfungen',
      green: '214 von 214 sind grün',
      options: { deploy: 'Ausrollen', later: 'Nicht jetzt', reject: 'Ablehnen' },
    },
  },
}
