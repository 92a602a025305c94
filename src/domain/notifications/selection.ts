// Which notifications a change of many is about.
import type { ReadFilter, ReadInput } from '../../contract/notifications/inbox.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { NotificationId } from './notification.ts'

export type Selection =
  | { kind: 'ids'; ids: NotificationId[] }
  | { kind: 'all' }
  | { kind: 'filter'; filter: ReadFilter }

export function selectionOf({ ids, all, filter }: ReadInput): Selection {
  const given: Selection[] = []
  if (ids) given.push({ kind: 'ids', ids })
  if (all) given.push({ kind: 'all' })
  if (filter) given.push({ kind: 'filter', filter })
  const [selection, ...others] = given
  if (selection && others.length === 0) return selection
  throw validationProblem([{ location: 'body', message: 'must have exactly one of ids, all and filter' }])
}
