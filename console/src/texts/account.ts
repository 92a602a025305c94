// Texts about access to the account, sessions and passkeys, and of the command palette.
import { translated } from '../language.ts'

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

// The page of the signed-out, invitations that make an account, and the page that approves a sign-in.
const invitationInvalid =
  'This invitation does not work any more. It is used up, expired or deleted. Ask for a new one.'

const WAYS_IN = {
  passkey: 'Sign in with a passkey',
  device: {
    open: 'Approve on another device of mine',
    lead: 'Type this code on a device where you are signed in:',
    steps: [
      'Open Heliograph there, then “Settings” and “Approve a sign-in”.',
      'Type the code. The page shows it again, with the name of this browser.',
      'Press “Approve”. This page then opens your inbox.',
    ],
    waiting: 'Waiting for your approval.',
    ended: 'The request was refused or has expired.',
    again: 'Ask again',
    back: 'Other ways to sign in',
    signedInAs: (name: string | null) => (name ? `You are signed in as ${name}.` : 'You are signed in.'),
  },
  email: {
    field: 'Your e-mail address',
    send: 'E-mail me a link',
    choose: 'Send sign-in links here',
    chosen: 'Gets sign-in links',
    unchoose: 'No more sign-in links',
    chooseTitle: (address: string) => `Send sign-in links to ${address}?`,
    chooseText: 'Only for an address of your own: whoever reads it can sign in to your account.',
    sent: 'If this address may sign in, a link is on its way. It works for ten minutes.',
  },
  link: {
    paste: 'Paste a one-time link',
    placeholder: 'https://…/app/#signin=…',
    submit: 'Sign in',
  },
  terminal: {
    title: 'With the terminal of the server',
    text: {
      command: 'Run this on the server. It prints a link:',
      checkout: 'Run this in the folder of the checkout. It prints a link:',
      container: 'Run this on the machine of the container, with the container’s name. It prints a link:',
      systemd: 'Run this on the server. It prints a link:',
    },
    command: 'Command',
    user: 'It is for the first account; “--user NAME” makes it for another one.',
  },
  invited: {
    organization: (name: string) => `You are invited to “${name}”.`,
    share: (owner: string | undefined, what: string) => `${owner ?? 'Someone'} shares “${what}” with you.`,
    name: 'Your name',
    nameHint: 'This is how others see you.',
    join: 'Join',
    hasAccount: 'I have an account here',
    toJoin: 'Sign in to join.',
    needsAccount: 'Sign in to see it. Without an account here, ask the person who runs this server for one.',
    refusals: {
      'invitation.invalid': invitationInvalid,
      'invitation.limit_exceeded':
        'The person who invited you cannot add more accounts to this server. Its operator can raise the limit.',
      'rate_limit.exceeded': 'Too many attempts from your network. Try again later.',
    } as Record<string, string>,
  },
  keep: {
    lead: 'You have joined. How do you want to sign in next time?',
    again: 'You have used the link that you kept. How do you want to sign in next time?',
    passkey: 'Make a passkey on this device',
    link: 'Give me a link to keep',
    later: 'Later',
    linkText: 'This link signs you in once, at any time. Store it like a password: it is shown only now.',
    linkLabel: 'Link to keep',
    kept: 'I have stored it',
  },
  approve: {
    open: 'Approve a sign-in',
    openText: 'A new browser that asks to be approved shows a code.',
    title: 'Approve a sign-in',
    intro: 'Sign in to a browser that shows a code.',
    code: 'Code of the other screen',
    codeHint: 'Six characters, such as K7Q-W2M.',
    find: 'Continue',
    notFound: 'No browser waits with this code. It is mistyped or has expired: look at the other screen.',
    question: 'Does the other screen show this code?',
    browser: 'Browser',
    unknownBrowser: 'Unknown',
    address: 'Asks from',
    asked: 'Asked',
    sameNetwork: 'It is in the same network as you.',
    otherNetwork: 'It is in another network than you. If you do not have that device before you, refuse.',
    warning: 'It gets full access to your account. Never approve a code that somebody sent you.',
    yes: 'Approve',
    no: 'Refuse',
    approved: 'Approved. The other browser signs in now.',
    refused: 'Refused. Nobody can use this code any more.',
  },
}

export const ENGLISH = {
  waysIn: WAYS_IN,
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
export const WAY_IN_TEXTS = ACCOUNT_TEXTS.waysIn
