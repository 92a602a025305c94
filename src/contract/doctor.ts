// The version of the server, and what "heliograph doctor" finds, for operators in the console.
import { type Static, Type } from 'typebox'
import { OneOf, Timestamp } from './fields.ts'

const CHECK_STATUSES = ['ok', 'warning', 'failure'] as const

const CheckResult = Type.Object(
  {
    check: Type.String({ examples: ['database'] }),
    status: OneOf(CHECK_STATUSES),
    found: Type.String({ description: 'What was found, in one sentence.' }),
    fix: Type.Optional(Type.String({ description: 'What to do. Absent if nothing is wrong.' })),
  },
  { title: 'CheckResult' },
)

export const CheckupView = Type.Object({ checked_at: Timestamp, items: Type.Array(CheckResult) }, { title: 'Checkup' })
export type CheckupView = Static<typeof CheckupView>

export const VersionView = Type.Object({ version: Type.String({ examples: ['1.4.0'] }) }, { title: 'Version' })
export type VersionView = Static<typeof VersionView>
