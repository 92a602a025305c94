// ?dry_run=true checks the request and answers what would happen, without storing, sending or counting anything.
import { type Static, Type } from 'typebox'
import { OneOf } from './fields.ts'
import { DELIVERY_REASONS } from './notifications/delivery.ts'

export const DryRunQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({
      description: 'true: check the request and answer what would happen; store, send and count nothing.',
    }),
  ),
})
export type DryRunQuery = Static<typeof DryRunQuery>

export const PushPreview = Type.Object(
  {
    channel: OneOf(['apns', 'web_push', 'bark'], 'bark: only if the account has a phone with the Bark app'),
    payload: Type.Unknown({ description: 'The payload as the push service would get it.' }),
    bytes: Type.Integer(),
  },
  { title: 'PushPreview' },
)
export type PushPreview = Static<typeof PushPreview>

const QuotaPreview = Type.Object(
  {
    kind: Type.String({ description: 'The quota.' }),
    cost: Type.Integer(),
    used: Type.Integer({ description: 'The use after this request.' }),
    limit: Type.Optional(Type.Integer()),
  },
  { title: 'QuotaPreview' },
)

export const DryRun = Type.Object(
  {
    valid: Type.Literal(true),
    would: Type.Object({
      action: Type.String(),
      resource: Type.Unknown({ description: 'The resource as the real request would answer it.' }),
      pushes: Type.Array(PushPreview),
      quota: Type.Optional(QuotaPreview),
      reason: Type.Optional(OneOf(DELIVERY_REASONS, 'why a notification would be stored and not pushed')),
      recipients: Type.Optional(
        Type.Object(
          { members: Type.Integer(), devices: Type.Integer() },
          { title: 'RecipientsPreview', description: 'Of a notification of an organization.' },
        ),
      ),
    }),
  },
  { title: 'DryRun' },
)
export type DryRun = Static<typeof DryRun>
