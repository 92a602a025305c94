// Texts about access to the account: sessions, and the part of the server that everyone may see.
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
}

export const ACCOUNT_TEXTS = translated('account', ENGLISH)
