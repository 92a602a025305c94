// ?dry_run=true: everything is checked, nothing is stored, sent or counted; the answer says what would happen.
import { type Static, Type } from 'typebox'
import { OneOf } from './fields.ts'

export const DryRunQuery = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ description: 'Check everything, store, send and count nothing.' })),
})
export type DryRunQuery = Static<typeof DryRunQuery>

export const PushPreview = Type.Object({
  channel: OneOf(['apns', 'web_push']),
  payload: Type.Unknown(),
  bytes: Type.Integer(),
})
export type PushPreview = Static<typeof PushPreview>

const QuotaPreview = Type.Object({
  kind: Type.String(),
  cost: Type.Integer(),
  used: Type.Integer({ description: 'After this request.' }),
  limit: Type.Optional(Type.Integer()),
})

export const DryRun = Type.Object({
  valid: Type.Literal(true),
  would: Type.Object({
    action: Type.String(),
    resource: Type.Unknown(),
    pushes: Type.Array(PushPreview),
    quota: Type.Optional(QuotaPreview),
  }),
})
export type DryRun = Static<typeof DryRun>
