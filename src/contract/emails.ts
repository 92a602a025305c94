// E-mail as clients send and see it, and the verified recipients of an account.
import { type Static, Type } from 'typebox'
import { Cursor, closed, Limit, OneOf, Page, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'

// There is no `complained`: SMTP does not report complaints.
export const EMAIL_STATUSES = ['sent', 'bounced', 'failed', 'suppressed'] as const
export const EMAIL_DELIVERIES = ['all', 'none'] as const
export const EMAIL_REASONS = ['suppressed', 'send_failed'] as const
export const RECIPIENT_STATUSES = ['pending', 'verified', 'suppressed'] as const

const Address = Text(LIMITS.email.addressChars.max, {
  minLength: LIMITS.email.addressChars.min,
  description: 'A bare address such as ada@example.org.',
})

export const EmailInput = Type.Object(
  {
    to: Address,
    subject: Text(LIMITS.email.maxSubjectChars, { minLength: 1 }),
    html_body: Type.Optional(Text(LIMITS.email.maxHtmlChars)),
    text_body: Type.Optional(Text(LIMITS.email.maxTextChars)),
  },
  {
    ...closed,
    title: 'EmailInput',
    description: 'Needs html_body, text_body or both.',
    examples: [{ to: 'ada@example.org', subject: 'Backup finished', text_body: 'All 214 files are stored.' }],
  },
)
export type EmailInput = Static<typeof EmailInput>

export const EmailView = Type.Object(
  {
    id: Type.Integer(),
    to: Type.String(),
    subject: Type.String(),
    status: OneOf(EMAIL_STATUSES, 'failed: not sent; error says whether it is tried again'),
    provider_message_id: Type.Optional(
      Type.String({ description: 'The Message-ID, once a mail server has accepted it.' }),
    ),
    error: Type.Optional(Type.String()),
    created_at: Timestamp,
  },
  { title: 'Email' },
)
export type EmailView = Static<typeof EmailView>

export const SentEmailView = Type.Object(
  {
    ...EmailView.properties,
    delivery: OneOf(EMAIL_DELIVERIES, 'whether the mail server accepted it'),
    reason: Type.Optional(OneOf(EMAIL_REASONS, 'why delivery is not all')),
  },
  { title: 'SentEmail' },
)
export type SentEmailView = Static<typeof SentEmailView>

export const EmailQuery = Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) })
export type EmailQuery = Static<typeof EmailQuery>

export const EmailList = Page('EmailList', EmailView)
export type EmailList = Static<typeof EmailList>

export const RecipientInput = Type.Object(
  { address: Address },
  { ...closed, title: 'RecipientInput', examples: [{ address: 'ada@example.org' }] },
)
export type RecipientInput = Static<typeof RecipientInput>

export const RecipientPatch = Type.Object(
  {
    sign_in: Type.Boolean({
      description: 'Whether whoever reads this address may sign in to the account by a link that is sent there.',
    }),
  },
  { ...closed, title: 'RecipientPatch', examples: [{ sign_in: true }] },
)

export const RecipientParams = Type.Object({ recipient_id: Type.String({ description: 'The id of the recipient.' }) })

export const RecipientView = Type.Object(
  {
    id: Type.String(),
    address: Type.String(),
    status: OneOf(
      RECIPIENT_STATUSES,
      'pending until the link in the mail is confirmed; suppressed after an unsubscription or a permanent refusal',
    ),
    created_at: Timestamp,
    verified_at: Type.Optional(Timestamp),
    sign_in: Type.Optional(
      Type.Boolean({ description: 'true: sign-in links of this account are sent there when somebody asks for one.' }),
    ),
  },
  { title: 'Recipient' },
)
export type RecipientView = Static<typeof RecipientView>

export const RecipientList = Type.Object(
  {
    items: Type.Array(RecipientView),
    email_enabled: Type.Boolean({ description: 'Whether this server has a mail server to send with.' }),
  },
  { title: 'RecipientList' },
)
export type RecipientList = Static<typeof RecipientList>
