// Aliases of an integration key: tokens in the form that the senders of another service expect.
import { type Static, Type } from 'typebox'
import { closed, OneOf, Timestamp } from '../fields.ts'
import { ALIAS_DOORS } from './door.ts'

export const AliasInput = Type.Object(
  { door: OneOf(ALIAS_DOORS, 'The service whose senders use the alias.') },
  { ...closed, title: 'KeyAliasInput', examples: [{ door: 'gotify' }] },
)
export type AliasInput = Static<typeof AliasInput>

const ALIAS_MEMBERS = { id: Type.String(), door: OneOf(ALIAS_DOORS), created_at: Timestamp }

export const AliasView = Type.Object(ALIAS_MEMBERS, { title: 'KeyAlias' })
export type AliasView = Static<typeof AliasView>

export const AliasList = Type.Object({ items: Type.Array(AliasView) }, { title: 'KeyAliasList' })

export const AliasWithToken = Type.Object(
  {
    ...ALIAS_MEMBERS,
    token: Type.String({ description: 'The token. No later response repeats it.', examples: ['A3xYz.2kLm-Q9vT'] }),
  },
  { title: 'KeyAliasWithToken' },
)
export type AliasWithToken = Static<typeof AliasWithToken>
