// Texts of the banners for new notifications, and of the settings for them.
import { translated } from '../language.ts'

export const ENGLISH = {
  label: 'New notifications',
  open: 'Open',
  dismiss: 'Dismiss',
  more: (count: number) => `${count} more in the inbox`,
  offerSound: 'Play a sound for critical alerts',
  soundBlocked: 'The browser plays no sound on this page until you have clicked in it.',
  title: 'Alerts in this browser',
  text: 'While the console is open, new notifications appear in a corner of every page. Critical ones stay until you act.',
  sound: 'Sound of critical alerts',
  soundChoices: { on: 'On', off: 'Off' },
  trySound: 'Try it',
  allow: 'Show them outside the page too',
  allowText: 'For a console in a background tab: your system shows the notification.',
  quietHours: 'Set the hours in which nothing may ring',
  allowed: 'Your system shows notifications while the console is in a background tab.',
  denied: 'The browser does not allow notifications from here. Its site settings can change that.',
}

export const ALERT_TEXTS = translated('alerts', ENGLISH)
