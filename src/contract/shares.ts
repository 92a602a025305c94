// Sharing: codes that an owner gives out, and the shares of those who joined by one.
import { type Static, Type } from 'typebox'
import { closed, OneOf, SLUG_PATTERN, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'

export const SHARE_ROLES = ['viewer', 'editor'] as const
export type ShareRole = (typeof SHARE_ROLES)[number]

// From the point of view of the account that reads the share.
export const SHARE_DIRECTIONS = ['given', 'received'] as const
export type ShareDirection = (typeof SHARE_DIRECTIONS)[number]

const Role = OneOf(SHARE_ROLES, 'A viewer reads and gets the pushes; an editor also changes the activity.')

// A slug without its end: the first characters of a slug, or nothing.
const SLUG_PREFIX = SLUG_PATTERN.slice(1, -1)

export const SlugPattern = Type.String({
  pattern: `^(?:${SLUG_PREFIX})?\\*$`,
  maxLength: LIMITS.slug.maxChars + 1,
  description: 'the first characters of slugs and a trailing *, or * for all activities, present and future',
  examples: ['deploy-*'],
})

const CODE_INPUT = {
  role: Type.Optional({ ...Role, default: 'viewer' }),
  max_uses: Type.Optional(
    Type.Integer({
      minimum: LIMITS.share.uses.min,
      maximum: LIMITS.share.uses.max,
      default: LIMITS.share.uses.default,
      description: 'How many accounts can join by the code.',
    }),
  ),
  expires_in: Type.Optional(
    Type.Integer({
      minimum: LIMITS.share.codeSeconds.min,
      maximum: LIMITS.share.codeSeconds.max,
      default: LIMITS.share.codeSeconds.default,
      description: 'Seconds until the code expires. Shares do not expire.',
    }),
  ),
}

export const ShareCodeInput = Type.Object(CODE_INPUT, {
  ...closed,
  title: 'ShareCodeInput',
  examples: [{ role: 'viewer', max_uses: 3 }],
})
export type ShareCodeInput = Static<typeof ShareCodeInput>

export const PatternCodeInput = Type.Object(
  { slug_pattern: SlugPattern, ...CODE_INPUT },
  { ...closed, title: 'PatternCodeInput', examples: [{ slug_pattern: 'deploy-*' }] },
)
export type PatternCodeInput = Static<typeof PatternCodeInput>

// One activity, or all whose slug matches the pattern.
const SHARED = {
  slug: Type.Optional(Type.String({ description: 'The slug of the activity, unless a pattern is shared.' })),
  activity_id: Type.Optional(Type.String()),
  slug_pattern: Type.Optional(Type.String({ description: 'The pattern, unless one activity is shared.' })),
}

const OWNER = {
  owner_id: Type.String(),
  owner_nickname: Type.Optional(Type.String()),
}

export const ShareCodeView = Type.Object(
  {
    id: Type.String(),
    code: Type.String({ description: 'Read without regard to case, spaces and hyphens.', examples: ['K7QW2MXD'] }),
    share_url: Type.String({ description: 'Opens a page that shows what is shared and offers to join.' }),
    ...SHARED,
    role: Role,
    max_uses: Type.Integer(),
    use_count: Type.Integer(),
    expires_at: Timestamp,
    created_at: Timestamp,
  },
  { title: 'ShareCode' },
)
export type ShareCodeView = Static<typeof ShareCodeView>

export const JoinInput = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: LIMITS.share.maxCodeChars }) },
  { ...closed, title: 'JoinInput', examples: [{ code: 'K7QW-2MXD' }] },
)
export type JoinInput = Static<typeof JoinInput>

export const ShareView = Type.Object(
  {
    id: Type.String(),
    direction: OneOf(SHARE_DIRECTIONS, '`given`: the caller is the owner. `received`: the caller has joined.'),
    role: Role,
    ...SHARED,
    ...OWNER,
    recipient_id: Type.String(),
    recipient_nickname: Type.Optional(Type.String()),
    created_at: Timestamp,
  },
  { title: 'Share' },
)
export type ShareView = Static<typeof ShareView>

export const JoinPreview = Type.Object(
  {
    valid: Type.Literal(true),
    would: Type.Object({
      role: Role,
      slug: Type.Optional(Type.String()),
      slug_pattern: Type.Optional(Type.String()),
      ...OWNER,
    }),
  },
  { title: 'JoinPreview' },
)
export type JoinPreview = Static<typeof JoinPreview>

export const SharePatch = Type.Object(
  { role: Role },
  { ...closed, title: 'SharePatch', examples: [{ role: 'editor' }] },
)
export type SharePatch = Static<typeof SharePatch>

export const ShareListQuery = Type.Object({
  slug: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.slug.maxChars,
      description: 'Only shares of the own activity with this slug, by pattern too.',
    }),
  ),
})
