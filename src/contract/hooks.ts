// Webhooks: addresses at which other programs report what happened, each in its own form.
import { type Static, Type } from 'typebox'
import { closed, Nullable, OneOf, SLUG_PATTERN, Text, Timestamp } from './fields.ts'
import { StormShield, StormShieldInput } from './holds.ts'
import { LIMITS } from './limits.ts'
import { NOTIFICATION_LEVELS, NotificationInput } from './notifications/notification.ts'
import { Sound } from './notifications/sound.ts'

export const HOOK_KINDS = [
  'auto',
  'alertmanager',
  'grafana',
  'github',
  'gitlab',
  'uptime-kuma',
  'healthchecks',
  'gitea',
  'gatus',
  'komodo',
  'backrest',
  'argocd',
  'proxmox',
  'truenas',
  'jellyfin',
  'overseerr',
  'paperless',
  'changedetection',
  'teams',
  'slack',
  'discord',
  'servarr',
  'apprise',
  'generic',
  'template',
] as const
export type HookKind = (typeof HOOK_KINDS)[number]

export const HOOK_RESULTS = ['sent', 'activity', 'dropped', 'duplicate', 'refused'] as const

type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number]

// One schema node for both forms: a union would report the violations of each.
const LevelRule = Type.Unsafe<NotificationLevel | Record<string, NotificationLevel>>({
  type: ['string', 'object'],
  pattern: `^(?:${NOTIFICATION_LEVELS.join('|')})$`,
  maxProperties: LIMITS.hook.maxSeverities,
  propertyNames: { maxLength: LIMITS.hook.maxSeverityChars },
  additionalProperties: { type: 'string', enum: [...NOTIFICATION_LEVELS] },
  description: 'The lowest level, or the level per severity of the sender such as {"warning": "active"}.',
})

export const HookOptions = Type.Object(
  {
    level: Type.Optional(LevelRule),
    acknowledge_from: Type.Optional(
      OneOf(
        ['active', 'time-sensitive', 'critical'],
        'From this level on an alert repeats until someone acknowledges it. Left out: no alert does.',
      ),
    ),
    escalation: Type.Optional(
      Type.String({
        pattern: SLUG_PATTERN,
        description: 'The escalation policy of alerts that must be acknowledged; see acknowledge_from.',
      }),
    ),
    sound: Type.Optional(Sound),
    resolved: Type.Optional(
      OneOf(
        ['notify', 'quiet', 'drop'],
        'What the end of an alert becomes: a passive notification (default), an entry that is read already and not pushed, or nothing. It ends the repeats of the alert and withdraws its banner in any case.',
      ),
    ),
    as: Type.Optional(
      OneOf(
        ['notification', 'activity'],
        'activity: a run of the CI of GitHub, Gitea, Forgejo or GitLab is a live activity that ends with the run. The key needs activities:manage.',
      ),
    ),
    events: Type.Optional(
      Type.Array(Text(LIMITS.hook.maxEventChars, { minLength: 1 }), {
        maxItems: LIMITS.hook.maxEvents,
        description:
          'The events of GitHub, Gitea, Forgejo or GitLab to report, such as push or pull_request.opened; left out: all. workflow_run.success and pipeline.success report every success instead of the first one after a failure.',
      }),
    ),
  },
  { ...closed, title: 'HookOptions' },
)
export type HookOptions = Static<typeof HookOptions>

const TemplateText = Text(LIMITS.hook.maxTemplateChars)

export const HookTemplate = Type.Object(
  {
    title: Type.Optional(TemplateText),
    body: Type.Optional(TemplateText),
    level: Type.Optional(TemplateText),
    url: Type.Optional(TemplateText),
    thread_id: Type.Optional(TemplateText),
    collapse_id: Type.Optional(TemplateText),
    drop: Type.Optional(TemplateText),
  },
  {
    ...closed,
    title: 'HookTemplate',
    minProperties: 1,
    description:
      'Liquid templates over `body` (the parsed request), `headers` and `query`. A request for which `drop` renders true is dropped.',
  },
)
export type HookTemplate = Static<typeof HookTemplate>

const Name = Text(LIMITS.hook.maxNameChars, { minLength: 1 })
const Kind = OneOf(HOOK_KINDS, 'The form of the requests. auto: recognized in each request.')
const KeyId = Text(LIMITS.path.maxIdChars, {
  description: 'The key that the hook sends with; the default key if left out.',
})
const Secret = Text(LIMITS.hook.maxSecretChars, {
  minLength: LIMITS.hook.minSecretChars,
  description:
    'Requests must prove that they know it: by the signature of GitHub, Grafana or Standard Webhooks, as the token of GitLab, or as bearer token or password.',
})

export const HookInput = Type.Object(
  {
    name: Name,
    kind: Kind,
    key_id: Type.Optional(KeyId),
    secret: Type.Optional(Secret),
    template: Type.Optional(HookTemplate),
    options: Type.Optional(HookOptions),
    storm: Type.Optional(StormShieldInput),
  },
  {
    ...closed,
    title: 'HookInput',
    examples: [
      { name: 'Alertmanager', kind: 'alertmanager', options: { acknowledge_from: 'critical', resolved: 'quiet' } },
      {
        name: 'Door bell',
        kind: 'template',
        template: { title: '{{ body.device }}', body: 'Pressed at {{ body.at }}', drop: '{{ body.test }}' },
      },
    ],
  },
)
export type HookInput = Static<typeof HookInput>

export const HookPatch = Type.Object(
  {
    name: Type.Optional(Name),
    kind: Type.Optional(Kind),
    key_id: Type.Optional(KeyId),
    secret: Type.Optional(Nullable(Secret)),
    template: Type.Optional(Nullable(HookTemplate)),
    options: Type.Optional(HookOptions),
    storm: Type.Optional(StormShieldInput),
  },
  {
    ...closed,
    title: 'HookPatch',
    description: '`template` and `options` are replaced as a whole.',
    examples: [{ name: 'CI', options: { as: 'activity' } }],
  },
)
export type HookPatch = Static<typeof HookPatch>

const HOOK_MEMBERS = {
  id: Type.String(),
  name: Type.String(),
  kind: Kind,
  key_id: Type.String(),
  has_secret: Type.Boolean(),
  template: Type.Optional(HookTemplate),
  options: HookOptions,
  storm: Type.Optional(StormShield),
  created_at: Timestamp,
  last_received_at: Type.Optional(Timestamp),
}

export const HookView = Type.Object(HOOK_MEMBERS, { title: 'Hook' })
export type HookView = Static<typeof HookView>

export const HookWithUrl = Type.Object(
  {
    ...HOOK_MEMBERS,
    url: Type.String({
      description: 'The address to give to the sender. It ends in a secret, and no later response repeats it.',
      examples: ['https://push.example.org/hooks/…'],
    }),
  },
  { title: 'HookWithUrl' },
)
export type HookWithUrl = Static<typeof HookWithUrl>

// What became of a request.
export const HookOutcome = Type.Object(
  {
    result: OneOf(HOOK_RESULTS),
    kind: OneOf(HOOK_KINDS, 'The kind that the request was read as.'),
    notification_ids: Type.Array(Type.Integer()),
    activity_slug: Type.Optional(Type.String()),
    detail: Type.Optional(
      Type.String({ description: 'Why it was dropped or refused, or what is wrong with the template.' }),
    ),
    code: Type.Optional(Type.String({ description: 'The code of the problem that refused it.' })),
  },
  { title: 'HookOutcome' },
)
export type HookOutcome = Static<typeof HookOutcome>

const Headers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
})

export const HookRequestView = Type.Object(
  {
    number: Type.Integer({ description: 'Requests of a hook are numbered from 1.' }),
    received_at: Timestamp,
    method: Type.String(),
    headers: { ...Headers, description: 'Without credentials.' },
    query: Type.String(),
    body: Type.String({ description: `The first ${LIMITS.hook.maxKeptBodyBytes} bytes.` }),
    body_encoding: OneOf(['utf-8', 'base64']),
    body_bytes: Type.Integer(),
    outcome: HookOutcome,
  },
  { title: 'HookRequest' },
)
export type HookRequestView = Static<typeof HookRequestView>

export const HookPreviewInput = Type.Object(
  {
    request: Type.Unsafe<number | string | object>({
      type: ['integer', 'string', 'object', 'array'],
      items: {},
      description: 'The number of a kept request, or a body: JSON as it is, or text.',
    }),
    headers: Type.Optional({ ...Headers, description: 'Headers of a body, such as X-GitHub-Event.' }),
    template: Type.Optional(HookTemplate),
  },
  {
    ...closed,
    title: 'HookPreviewInput',
    examples: [{ request: { device: 'Front door' }, template: { title: '{{ body.device }}' } }],
  },
)
export type HookPreviewInput = Static<typeof HookPreviewInput>

const {
  title,
  body,
  level,
  thread_id,
  collapse_id,
  source,
  source_display_name,
  url,
  media,
  actions,
  push,
  acknowledge,
} = NotificationInput.properties
const HookNotification = Type.Object(
  { title, body, level, thread_id, collapse_id, source, source_display_name, url, media, actions, push, acknowledge },
  { title: 'HookNotification', description: 'As POST /notifications takes it.' },
)

export const HookPreview = Type.Object(
  {
    result: OneOf(HOOK_RESULTS),
    kind: OneOf(HOOK_KINDS, 'The kind that the request was read as.'),
    detail: HookOutcome.properties.detail,
    notifications: Type.Array(HookNotification),
    activity: Type.Optional(
      Type.Object({ slug: Type.String(), state: Type.String(), content: Type.Unknown() }, { title: 'HookActivity' }),
    ),
  },
  { title: 'HookPreview' },
)
export type HookPreview = Static<typeof HookPreview>
