// Sessions: where the person is signed in, and links with which they sign in somewhere else.
import { type Static, Type } from 'typebox'
import { OneOf, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'

export const SESSION_KINDS = ['console', 'device', 'token'] as const

const ListedSession = Type.Object(
  {
    id: Type.String(),
    kind: OneOf(
      SESSION_KINDS,
      'console: a browser; device: an app that signed in with Apple; token: any other program',
    ),
    name: Type.Optional(Type.String({ description: 'The browser or the device.' })),
    created_at: Timestamp,
    last_used_at: Type.Optional(Timestamp),
    current: Type.Boolean({ description: 'The session of this request.' }),
  },
  { title: 'ListedSession', description: 'Never has the token itself.' },
)
export type ListedSession = Static<typeof ListedSession>

export const SessionList = Type.Object({ items: Type.Array(ListedSession) }, { title: 'SessionList' })

export const SessionParams = Type.Object({ session_id: Type.String({ description: 'The id of the session.' }) })

export const EndSessionsQuery = Type.Object({
  current: Type.Optional(Type.Boolean({ description: 'true: end the session of this request too' })),
})

export const EndedSessions = Type.Object(
  { ended: Type.Integer({ description: 'The number of sessions that were ended.' }) },
  { title: 'EndedSessions' },
)

export const NewSignInLink = Type.Object(
  {
    url: Type.String({ description: `Works once, for ${LIMITS.account.signInCodeSeconds / 60} minutes.` }),
    expires_at: Timestamp,
  },
  { title: 'SignInLink' },
)
export type NewSignInLink = Static<typeof NewSignInLink>

export const KeptSignInLink = Type.Object(
  { url: Type.String({ description: 'Works once, until it is replaced or removed. No later response repeats it.' }) },
  { title: 'KeptSignInLink' },
)
export type KeptSignInLink = Static<typeof KeptSignInLink>
