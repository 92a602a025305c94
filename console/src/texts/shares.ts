// Texts of sharing. A separate file because it is loaded with the pages that share.
import type { ShareRole } from '../../../src/contract/shares.ts'
import { inLanguage } from '../language.ts'
import { SHARES } from './german/shares.ts'
import { JOIN_TEXTS } from './joining.ts'

const ROLES: Record<ShareRole, string> = { viewer: 'Viewer', editor: 'Editor' }

export const ENGLISH = {
  intro: 'Your activities on other people’s devices, and theirs on yours.',
  roles: ROLES,
  roleChoices: {
    viewer: 'Viewer: sees it and gets its pushes',
    editor: 'Editor: can also change it',
  },
  // `pattern` ends with a star.
  pattern: (pattern: string) =>
    pattern === '*' ? 'All activities' : `All activities that begin with “${pattern.slice(0, -1)}”`,
  share: 'Share',
  sharedWith: (count: number) => `shared with ${count}`,
  from: (owner: string | undefined) => `from ${owner ?? 'another account'}`,
  dialogTitle: (name: string) => `Share “${name}”`,
  form: {
    another: 'Create another code',
    role: 'They join as',
    pattern: 'Activities',
    patternHint:
      'The first characters of their slugs and a *, such as deploy-*. A * alone is all of them. It includes activities that you create later.',
    patternPlaceholder: 'deploy-*',
    patternTitle: 'Share several activities',
    sharePattern: 'Share several',
  },
  code: {
    title: (what: string) => `Share code: ${what}`,
    lead: (usesLeft: number, role: ShareRole) =>
      usesLeft === 1
        ? `One person can join as ${role === 'editor' ? 'an editor' : 'a viewer'} until`
        : `${usesLeft} people can join as ${role}s until`,
  },
  given: 'Shared by you',
  noneGiven: 'You share nothing yet. To share one activity, open it and choose Share.',
  people: 'People',
  noPeople: 'Nobody has joined yet.',
  byPattern: (pattern: string) => `by ${pattern}`,
  removeTitle: (name: string) => `Stop sharing with ${name}?`,
  removeText: 'It disappears from their devices immediately.',
  removePatternText: (pattern: string) =>
    `All activities that match ${pattern} disappear from their devices immediately.`,
  received: 'Shared with you',
  noneReceived: 'Nobody shares an activity with you yet.',
  leaveLabel: (what: string) => `Leave ${what}`,
  leaveTitle: (what: string) => `Leave “${what}”?`,
  leaveText: 'It disappears from your devices immediately. To come back you need a new code.',
  leavePatternText: (patterns: string) =>
    `All activities that match ${patterns} disappear from your devices immediately. To come back you need a new code.`,
  join: {
    title: 'Shared with you',
    heading: (owner: string | undefined, what: string) => `${owner ?? 'Another account'} shares ${what} with you.`,
    activity: (slug: string) => `the activity “${slug}”`,
    pattern: (pattern: string) =>
      pattern === '*' ? 'all activities' : `all activities that begin with “${pattern.slice(0, -1)}”`,
    roles: {
      viewer: 'You join as a viewer: you can watch, and change nothing.',
      editor: 'You join as an editor: you can also make changes.',
    },
    effect: 'It appears on your devices, and updates arrive as pushes.',
    patternEffect: 'They appear on your devices, also those created later, and updates arrive as pushes.',
  },
  // By problem code. `share`: refusals for the owner. `join`: refusals for the person who joins.
  refusals: {
    share: {
      'subscription.required': `Sharing needs a paid plan. ${JOIN_TEXTS.planHint}`,
      'permission.editor_requires_paid_recipient': 'An editor needs a paid plan, and this person is on a free plan.',
      'share.not_found': 'This share or code does not exist any more.',
    } as Record<string, string>,
    join: {
      ...JOIN_TEXTS.refusals,
      'share.own': 'This is your own code. Give it to the people you want to share with.',
      'subscription.required': `Joining several activities by one code needs a paid plan. ${JOIN_TEXTS.planHint} Or ask for a code of a single activity.`,
      'permission.editor_requires_paid_recipient': `Editors need a paid plan. Ask for a code that makes you a viewer. ${JOIN_TEXTS.planHint}`,
      'permission.free_recipient_limit_exceeded':
        'The owner shares with as many people on a free plan as allowed. When one of them leaves, you can join.',
      'permission.free_share_limit_exceeded':
        'You have as many shared activities as your plan allows. Leave one of them, then try again.',
    } as Record<string, string>,
  },
  // Refusals with `share.limit_exceeded`, by `kind`.
  limits: {
    codes: (limit: number) => `You have ${limit} open codes, which is the limit. Delete one that you no longer need.`,
    recipients: (limit: number) => `It is already shared with ${limit} people, which is the limit.`,
    received: (limit: number) => `You have joined ${limit} shares, which is the limit. Leave one, then try again.`,
  },
}

export const SHARE_TEXTS = inLanguage({ en: ENGLISH, de: SHARES })
