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

export const STARTS = ['command', 'checkout', 'container', 'systemd'] as const

export const ServerAddresses = Type.Object(
  {
    addresses: Type.Array(Type.String(), {
      description:
        'Addresses of this machine in its networks, with the port. Empty in a container, which does not know them.',
      examples: [['http://192.168.1.20:8080']],
    }),
    listens_elsewhere: Type.Boolean({
      description: 'Whether the server accepts connections of other machines. If not, HELIOGRAPH_HOST has to be set.',
    }),
    started_as: OneOf(STARTS, 'How the server was started, for the command that starts it again'),
  },
  { title: 'ServerAddresses' },
)
export type ServerAddresses = Static<typeof ServerAddresses>
