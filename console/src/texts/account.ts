// Texts about access to the account, sessions and passkeys, and of the command palette.
import { translated } from '../language.ts'

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export const ENGLISH = {
  sessions: {
    title: 'Sessions',
    intro: 'Where you are signed in. Keys of programs are on the page Keys.',
    link: 'Where you are signed in',
    kinds: { console: 'Browser', device: 'Device', token: 'Token of a program' },
    unnamed: { console: 'A browser', device: 'A device', token: 'A program' },
    current: 'This session',
    created: 'Signed in',
    lastUsed: 'used',
    neverUsed: 'never used',
    end: 'End',
    endOf: (name: string) => `End the session of ${name}`,
    endTitle: (name: string) => `End the session of ${name}?`,
    endText: 'It is signed out at once. To use it again, sign in there with a new link.',
    ended: 'The session has ended.',
    everywhere: 'Sign out everywhere',
    endOthers: 'Sign out everywhere else',
    endOthersTitle: 'Sign out everywhere else?',
    endOthersText: 'All other browsers, devices and tokens are signed out at once. Keys of programs go on working.',
    endedOthers: (count: number) => `${plural(count, 'session has', 'sessions have')} ended.`,
    endAll: 'Sign out everywhere, here too',
    endAllTitle: 'Sign out everywhere, here too?',
    endAllText:
      'All sessions end, and this one too. To come back you need a new sign-in link from the server. Keys of programs go on working.',
    onlyThis: 'You are signed in nowhere else.',
  },
  palette: {
    title: 'Commands',
    placeholder: 'Go to a page, do something, or search…',
    newKey: 'New key',
    newHeartbeat: 'New heartbeat',
    newEscalation: 'New escalation policy',
    addPhone: 'Add a phone',
    theme: (name: string) => `Theme: ${name}`,
    search: (text: string) => `Search the inbox for “${text}”`,
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Sign in with a fingerprint, a face, a PIN or a security key instead of a link. The link always works too.',
    unavailable: (origin: string) =>
      `Browsers offer passkeys only at an https address with a host name, or at http://localhost. This page is at ${origin}.`,
    name: 'Name of the new passkey',
    nameHint: 'Such as the device it is kept on.',
    add: 'Add a passkey',
    added: 'You can now sign in with this passkey.',
    synced: 'Synced',
    oneDevice: 'On one device',
    created: 'added',
    lastUsed: 'used',
    neverUsed: 'never used',
    remove: 'Remove',
    removeOf: (name: string) => `Remove the passkey ${name}`,
    removeTitle: (name: string) => `Remove the passkey “${name}”?`,
    removeText: 'Nobody can sign in with it any more. Delete it on its device too. Sessions that are open stay open.',
    registeredAlready: 'This device already has a passkey for your account.',
    notDone: 'The browser used no passkey: it was canceled, it took too long, or there is none for this server.',
  },
}

export const ACCOUNT_TEXTS = translated('account', ENGLISH)
