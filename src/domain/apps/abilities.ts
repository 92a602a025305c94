// What each app on a phone can do with notifications, and who else sees them. The console, docs/phones.md and
// "heliograph device add" show these words.

export const PHONE_APP_NAMES = {
  console: 'This console as a web app',
  bark: 'Bark (iPhone)',
  ntfy: 'ntfy (Android)',
  gotify: 'Gotify (Android)',
  own: 'an app of your own (APNs)',
}

export type PhoneApp = keyof typeof PHONE_APP_NAMES
type Ability = { name: string } & Record<PhoneApp, string>

const abilities = <Names extends string>(rows: Record<Names, Ability>): Record<Names, Ability> => rows

export const PHONE_ABILITIES = abilities({
  buttons: {
    name: 'buttons in the banner',
    console: 'Android, computers',
    bark: 'no: a tap opens a page',
    ntfy: 'yes',
    gotify: 'no: a tap opens a page',
    own: 'yes',
  },
  replies: {
    name: 'typed replies',
    console: 'where the browser has a field, else in the console',
    bark: 'on that page',
    ntfy: 'on a page',
    gotify: 'on a page',
    own: 'yes',
  },
  withdrawal: {
    name: 'vanishes when read elsewhere',
    console: 'yes',
    bark: 'with Background App Refresh',
    ntfy: 'yes',
    gotify: 'no',
    own: 'yes',
  },
  critical: {
    name: 'rings in silent mode (critical)',
    console: 'no',
    bark: 'yes',
    ntfy: 'as set for priority 5',
    gotify: 'as set for priority 10',
    own: 'with Apple’s permission',
  },
  repeats: {
    name: 'repeats until acknowledged',
    console: 'yes',
    bark: 'yes',
    ntfy: 'yes',
    gotify: 'yes',
    own: 'yes',
  },
  activities: {
    name: 'live activities',
    console: 'as a banner',
    bark: 'as a quiet message, if you switch it on',
    ntfy: 'as one message that is updated',
    gotify: 'no',
    own: 'on the lock screen',
  },
  files: {
    name: 'files',
    console: 'pictures and links',
    bark: 'a picture; others on the page',
    ntfy: 'one, others as buttons',
    gotify: 'a picture, others as links',
    own: 'as your app shows them',
  },
  widgets: { name: 'widgets', console: 'on the wall', bark: 'no', ntfy: 'no', gotify: 'no', own: 'yes' },
  google: {
    name: 'needs an account with Google',
    console: 'Chrome’s pushes do',
    bark: 'no',
    ntfy: 'no',
    gotify: 'no',
    own: 'no',
  },
  privacy: {
    name: 'who else sees a message',
    console: 'nobody: Web Push is encrypted',
    bark: 'Apple, and the operator of a bark-server; nobody if it is encrypted for the app',
    ntfy: 'nobody',
    gotify: 'nobody',
    own: 'Apple',
  },
  sealed: {
    name: 'end-to-end encrypted messages',
    console: 'readable',
    bark: 'a placeholder with a link',
    ntfy: 'a placeholder',
    gotify: 'a placeholder',
    own: 'readable',
  },
})
