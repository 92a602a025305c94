// German texts of the banners for new notifications, and of the settings for them.
import type { ENGLISH } from '../alerts.ts'

export const ALERTS: typeof ENGLISH = {
  label: 'Neue Benachrichtigungen',
  open: 'Öffnen',
  dismiss: 'Schließen',
  more: (count) => `${count} weitere im Posteingang`,
  offerSound: 'Bei kritischen Alarmen einen Ton abspielen',
  soundBlocked: 'Der Browser spielt auf dieser Seite keinen Ton ab, bevor Sie in sie geklickt haben.',
  title: 'Alarme in diesem Browser',
  text: 'Solange die Konsole offen ist, erscheinen neue Benachrichtigungen in einer Ecke jeder Seite. Kritische bleiben stehen, bis Sie reagieren.',
  sound: 'Ton bei kritischen Alarmen',
  soundChoices: { on: 'Ein', off: 'Aus' },
  trySound: 'Ausprobieren',
  allow: 'Auch außerhalb der Seite zeigen',
  allowText: 'Für eine Konsole in einem Hintergrund-Tab: Ihr System zeigt die Benachrichtigung an.',
  quietHours: 'Stunden festlegen, in denen nichts klingeln darf',
  allowed: 'Ihr System zeigt Benachrichtigungen an, während die Konsole in einem Hintergrund-Tab ist.',
  denied: 'Der Browser erlaubt keine Benachrichtigungen von hier. Seine Website-Einstellungen können das ändern.',
}
