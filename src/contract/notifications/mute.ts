// Mutes: what a person does not want to be pushed for a while.
import { type Static, Type } from 'typebox'
import { closed, Text, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'

const TARGETS = {
  source: Type.Optional(Text(LIMITS.notification.maxSourceChars, { minLength: 1 })),
  thread_id: Type.Optional(Text(LIMITS.notification.maxThreadIdChars, { minLength: 1 })),
  key_id: Type.Optional(Text(LIMITS.path.maxIdChars, { minLength: 1, description: 'an integration key' })),
}

// domain/notifications/mute.ts requires exactly one of the targets.
export const MuteInput = Type.Object(
  {
    ...TARGETS,
    until: Type.String({
      format: 'date-time',
      description: `a time in the future, at most ${LIMITS.mute.maxDays} days ahead`,
    }),
  },
  {
    ...closed,
    title: 'MuteInput',
    description: 'Exactly one of source, thread_id and key_id.',
    examples: [{ source: 'ci', until: '2026-11-20T08:00:00Z' }],
  },
)
export type MuteInput = Static<typeof MuteInput>

export const MuteView = Type.Object(
  { id: Type.String(), ...TARGETS, until: Timestamp, created_at: Timestamp },
  { title: 'Mute' },
)
export type MuteView = Static<typeof MuteView>

export const MuteList = Type.Object({ items: Type.Array(MuteView) }, { title: 'MuteList' })

export const MuteParams = Type.Object({ mute_id: Type.String({ description: 'The id of the mute.' }) })
