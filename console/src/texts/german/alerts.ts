// German texts of the banners for new notifications, and of the settings for them.
import type { ENGLISH } from '../alerts.ts'

export const ALERTS: typeof ENGLISH = {
  label: 'Neue Benachrichtigungen',
  open: 'Öffnen',
  dismiss: 'Schließen',
  dismissAll: 'Alle schließen',
  show: 'Anzeigen',
  collapse: 'Weniger anzeigen',
  several: (ringing, others) =>
    [
      ringing > 0 && (ringing === 1 ? '1 Alarm läuft' : `${ringing} Alarme laufen`),
      others > 0 && (others === 1 ? '1 neue Benachrichtigung' : `${others} neue Benachrichtigungen`),
    ]
      .filter(Boolean)
      .join(', '),
  offerSound: ['Ton abspielen', 'bei kritischen Alarmen'],
  soundBlocked: 'Der Browser spielt auf dieser Seite keinen Ton ab, bevor Sie in sie geklickt haben.',
  title: 'Alarme in diesem Browser',
  text: 'Solange die Konsole offen ist, erscheinen neue Benachrichtigungen und laufende Alarme unter jeder Seite. Dringende bleiben stehen, bis Sie reagieren.',
  sound: 'Ton bei kritischen Alarmen',
  soundChoices: { on: 'Ein', off: 'Aus' },
  trySound: 'Ausprobieren',
  allow: 'Auch außerhalb der Seite zeigen',
  allowText: 'Für eine Konsole in einem Hintergrund-Tab: Ihr System zeigt die Benachrichtigung an.',
  quietHours: 'Stunden festlegen, in denen nichts klingeln darf',
  allowed: 'Ihr System zeigt Benachrichtigungen an, während die Konsole in einem Hintergrund-Tab ist.',
  denied: 'Der Browser erlaubt keine Benachrichtigungen von hier. Seine Website-Einstellungen können das ändern.',
}
