// Texts of the banners for new notifications, and of the settings for them.
import { translated } from '../language.ts'

export const ENGLISH = {
  label: 'New notifications',
  open: 'Open',
  dismiss: 'Dismiss',
  dismissAll: 'Dismiss all',
  show: 'Show',
  collapse: 'Show less',
  // Alerts that ring, and other new notifications; together at least two.
  several: (ringing: number, others: number) =>
    [
      ringing > 0 && (ringing === 1 ? '1 alert rings' : `${ringing} alerts ring`),
      others > 0 && (others === 1 ? '1 new notification' : `${others} new notifications`),
    ]
      .filter(Boolean)
      .join(', '),
  // The second part is left out on a phone.
  offerSound: ['Play a sound', 'for critical alerts'],
  soundBlocked: 'The browser plays no sound on this page until you have clicked in it.',
  title: 'Alerts in this browser',
  text: 'While the console is open, new notifications and alerts that ring appear below every page. Urgent ones stay until you act.',
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
