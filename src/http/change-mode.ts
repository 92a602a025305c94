// ?dry_run=true of a request that changes something.
import type { DryRunQuery } from '../contract/dry-run.ts'
import type { ChangeMode } from '../operations/transact-or-rehearse.ts'

export const changeMode = ({ dry_run }: DryRunQuery): ChangeMode => (dry_run ? 'dry_run' : 'commit')
