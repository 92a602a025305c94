// All texts of the console: the inbox and the shell here, messages in texts-messages.ts, schedules in texts-schedules.ts, the
// other pages in texts-setup.ts, widgets and activities in texts-cards.ts, webhooks in texts-hooks.ts, sharing in
// texts-shares.ts, organizations in texts-organizations.ts, codes and links in texts-joining.ts, enum values of the API in
// terms.ts.
import type { ReceiptView } from '../../src/contract/receipt.ts'
import { translated } from './language.ts'
import * as TERMS from './terms.ts'
import { SETUP_TEXTS } from './texts-setup.ts'

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export const ENGLISH = {
  name: 'Heliograph',
  loading: 'Loading…',
  tryAgain: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  edit: 'Edit',
  copy: 'Copy',
  copied: 'Copied',
  undo: 'Undo',
  skip: 'Skip to the content',
  noSuchPage: 'There is no such page',
  noSuchPageHint: 'The address may be mistyped, or from another version.',
  toInbox: 'To the inbox',
  errors: {
    offline: 'The server cannot be reached.',
    noAnswer: (seconds: number) => `The server did not answer within ${seconds} seconds.`,
    notOurs: 'Something between this browser and the server answered in its place.',
  },
  time: { now: 'now', today: 'Today', yesterday: 'Yesterday' },
  // What the title of the tab begins with.
  titleCounts: (unread: number, waiting: number): string => {
    const counts = [unread > 0 && `${unread}`, waiting > 0 && `${waiting} waiting`].filter(Boolean)
    return counts.length > 0 ? `(${counts.join(', ')}) ` : ''
  },
  nav: {
    label: 'Main menu',
    setup: 'Set up',
    inbox: 'Inbox',
    newMessage: 'New message',
    activities: 'Activities',
    widgets: 'Widgets',
    schedules: 'Schedules',
    alerts: 'Alerts',
    keys: 'Keys',
    webhooks: 'Webhooks',
    devices: 'Devices',
    shares: 'Shares',
    organizations: 'Organizations',
    emails: 'E-mail',
    usage: 'Usage',
    settings: 'Settings',
    more: 'More',
    docs: 'Documentation',
  },
  connection: {
    live: 'Live',
    waiting: 'Connecting…',
    offline: 'You are offline. What you see is from your last visit.',
    limited: (seconds: number) => `The server limits the requests of a minute. Loading continues in ${seconds} s.`,
  },
  signIn: {
    lead: 'Sign in with a one-time link. The server prints one when it first starts; for another, run on the server:',
    command: 'npx heliograph signin',
    paste: 'Or paste a link here',
    placeholder: 'https://…/app/#signin=…',
    submit: 'Sign in',
    toJoin: {
      share: 'Someone shares an activity with you. Sign in to see it.',
      org: 'You are invited to an organization. Sign in to see it.',
    },
    ended: 'You have been signed out. Sign in again with a new link.',
    endedElsewhere: 'You have signed out in another tab.',
    linkUnused: (reason: string) => `${reason} You are still signed in.`,
  },
  inbox: {
    detail: 'Notification',
    search: 'Search title and text',
    unread: 'unread',
    unreadOnly: 'Unread',
    level: 'Level',
    source: 'Source',
    noSource: 'No source',
    organization: 'Organization',
    waitingOnly: 'Needs an answer',
    waiting: (count: number) => `Waiting for you (${count})`,
    allWaiting: (count: number) => `All ${count}`,
    waitingCount: 'waiting for an answer',
    expired: 'Expired',
    acknowledged: (device: string | undefined) => (device ? `Acknowledged on ${device}` : 'Acknowledged'),
    ringing: 'Repeats until someone acknowledges it',
    quiet: 'Snooze or mute',
    quietOf: (title: string) => `Snooze or mute ${title}`,
    snoozedOnly: 'Snoozed',
    snoozed: (count: number, until: string) =>
      `${plural(count, 'notification is', 'notifications are')} snoozed until ${until}.`,
    mutedUntil: (name: string, until: string) => `${name} (muted until ${until})`,
    deleted: (count: number) => `${plural(count, 'notification was', 'notifications were')} deleted.`,
    notDeleted: 'The server cannot be reached, so nothing was deleted.',
    snoozeAll: 'Until tomorrow',
    markAllRead: 'Mark all read',
    markShownRead: 'Mark these read',
    markedRead: (count: number) => `${plural(count, 'notification is', 'notifications are')} marked as read.`,
    select: (title: string) => `Select ${title}`,
    selected: (count: number) => `${count} selected`,
    markRead: 'Read',
    markUnread: 'Unread',
    clearSelection: 'Clear the selection',
    more: 'Show older',
    empty: 'No notifications yet',
    emptyHint: 'Notifications from your programs appear here as soon as they are sent.',
    emptyLink: 'Create a key for a program.',
    noneFound: 'No notification matches',
    clearFilter: 'Clear the filter',
    nothingSelected: 'Select a notification',
    toMove: 'to move',
    forKeys: 'for all keys',
    // What the row of a thread hides.
    earlier: (count: number, unread: number, level: string | undefined) =>
      [`${count} earlier`, unread > 0 && `${unread} unread`, level].filter(Boolean).join(' · '),
    arrived: (source: string | undefined, title: string) => (source ? `${source}: ${title}` : title),
  },
  levels: TERMS.LEVELS,
  detail: {
    actions: 'Actions',
    answered: 'Answered:',
    expired: 'Nobody answered this in time.',
    markUnread: 'Mark as unread',
    answeredBy: (name: string | undefined) => `by ${name ?? 'another member'}`,
    answeredByYou: 'by you',
    reply: 'Your reply',
    send: 'Send',
    called: (title: string) => `“${title}” was called.`,
    callFailed: (host: string) => `${host} cannot be reached, or does not allow calls from this page.`,
    destructiveTitle: (title: string) => `“${title}”?`,
    destructiveText: 'The sender marks this action as destructive. It may not be possible to undo it.',
    openLink: 'Open link',
    noPicture: 'The picture cannot be loaded:',
    metadata: 'Details',
    activity: 'Activity',
    delete: 'Delete',
    snoozedUntil: (until: string) => `Snoozed until ${until}.`,
    wake: 'Show it now',
    thread: (count: number) => `Thread of ${count} notifications`,
    locked: 'This message is end-to-end encrypted, and this browser does not have its key.',
    enterKey: 'Enter the key',
  },
  delivery: {
    title: 'Delivery',
    noDevices: 'No device was registered when this arrived, so nothing was pushed.',
    arrived: 'Accepted by its push service.',
    arrivedSilently: 'Accepted by its push service. Passive notifications make no sound.',
    connected: 'Delivered: it was connected.',
    muted: 'Not pushed: its source, its thread or its key was muted.',
    underWay: 'Being sent.',
    retrying: (reason: string) => `Will be tried again: ${reason}`,
    refused: (reason: string) => `Refused: ${reason}`,
    inboxOnly: 'Not pushed: this was sent to the inbox only.',
    streamOnly: 'Not pushed: this device is reached only while it is connected.',
    notTried: 'Not pushed: the device had no push address at that time.',
    steps: (count: number) => `All ${count} steps`,
  },
  timeline: TERMS.TIMELINE,
  pushErrors: TERMS.PUSH_ERRORS,
  receipts: {
    intro: 'Alerts that repeat until someone acknowledges them.',
    none: 'No alert has asked to be acknowledged in the last seven days.',
    ringing: 'Ringing now',
    ended: 'Ended in the last seven days',
    deleted: 'Deleted notification',
    ringingCount: 'ringing',
    active: 'Waiting to be acknowledged',
    timeLeft: 'Time left',
    repeats: (sent: number, every: string, left: string) =>
      `every ${every} for ${left} more; ${sent === 0 ? 'not repeated yet' : `repeated ${plural(sent, 'time', 'times')}`}`,
    stop: 'Stop repeating',
    canceled: 'The alert no longer repeats.',
    outcome: ({ status, acknowledged_by_device: device, cancel_reason: reason }: ReceiptView): string => {
      if (status === 'acknowledged') return device ? `Acknowledged on ${device}` : 'Acknowledged'
      return status === 'canceled' && reason ? TERMS.CANCEL_REASONS[reason] : 'Expired: nobody acknowledged it'
    },
    callback: (status: 'pending' | 'delivered' | 'failed', attempts: number): string => {
      if (status === 'delivered') return 'The sender was told.'
      if (status === 'failed') return `The sender could not be told (${plural(attempts, 'attempt', 'attempts')}).`
      return 'The sender is being told.'
    },
  },
  keyboard: {
    title: 'Keyboard',
    keys: [
      [['c'], 'New message'],
      [['j', 'k'], 'Next, previous notification'],
      [['Enter'], 'Go to the open notification'],
      [['r'], 'Answer or reply'],
      [['u'], 'Mark as unread'],
      [['h'], 'Snooze or mute'],
      [['x'], 'Select, or end the selection'],
      [['J', 'K'], 'Select the next, the previous too'],
      [['#'], 'Delete'],
      [['Esc'], 'Back to the list'],
      [['/'], 'Search'],
      [['?'], 'This help'],
    ] as [string[], string][],
  },
}

export const TEXTS = { ...SETUP_TEXTS, ...translated('base', ENGLISH) }
