// The limit of a key to a part of its organization, and the one place that decides what such a key sees of the things that
// store a target: activities, heartbeats, escalation policies and schedules. The store returns them sealed, as `Targeted`, and
// only the functions below open them, so no operation can forget to ask.
//
// A thing is inside the limit if each of its targets has an entry for every list of the limit, and none outside. Entries are
// compared by id, not by who is in a group at the moment. A thing without any target reaches nobody by itself and belongs to
// the whole organization: a limited key may use it, and does not change it.
//
// Notifications, receipts and answers need none of this: a limited key sees only those that it sent itself. Nor do keys: only
// people and the default key, which has no limit and cannot get one, see and change them.
import { Problem } from '../../contract/problems.ts'
import type { Caller, KeyId } from '../caller.ts'
import type { TargetIds } from '../ids.ts'

// Null: the whole organization.
export type Limit = TargetIds | null

export const limitOf = (caller: Caller): Limit => (caller.kind === 'key' ? caller.target : null)

// For what belongs to the whole account, such as a secret that all of it shares.
export const isLimited = (caller: Caller): boolean => limitOf(caller) !== null

const ROW = Symbol('row')
export type Targeted<Row> = { readonly [ROW]: Row; readonly targets: readonly TargetIds[] }

export const targeted = <Row>(row: Row, targets: readonly TargetIds[]): Targeted<Row> => ({ [ROW]: row, targets })

type Found<Row> = Targeted<Row> | undefined

// As the caller sees it: undefined if it is outside the limit, as if it did not exist.
export const openInside = <Row>(limit: Limit, found: Found<Row>): Row | undefined =>
  found && isInside(limit, found) ? found[ROW] : undefined

// The same, for something that the caller names in a request of its own.
export const openUsable = <Row>(limit: Limit, found: Found<Row>): Row | undefined =>
  found && (isInside(limit, found) || isOfWholeOrganization(found)) ? found[ROW] : undefined

// For a slug that a request writes. The sender learns that the slug is taken, and nothing else.
export function openTaken<Row>(limit: Limit, found: Found<Row>, slug: string): Row | undefined {
  if (!found || isInside(limit, found)) return found?.[ROW]
  throw targetDenied(
    `"${slug}" is taken by something outside the part of the organization that this key is limited to.`,
  )
}

// For a schedule. A key sees only those that it made itself, whatever their target: they are sent within the limit that the
// key has by then. A person sees those of the account.
export function openOwn<Row extends { keyId: KeyId | null }>(caller: Caller, found: Found<Row>): Row | undefined {
  return found && (caller.kind !== 'key' || found[ROW].keyId === caller.keyId) ? found[ROW] : undefined
}

// `more`: what else the row reaches, besides its own target.
export const alsoReaching = <Row>(found: Targeted<Row>, more: (row: Row) => readonly TargetIds[]): Targeted<Row> =>
  targeted(found[ROW], [...found.targets, ...more(found[ROW])])

// For the server itself, and for questions that no caller gets the answer to.
export const openForServer = <Row>(found: Found<Row>): Row | undefined => found?.[ROW]

export const isInside = (limit: Limit, { targets }: Pick<Targeted<unknown>, 'targets'>): boolean =>
  limit === null || (targets.length > 0 && targets.every((target) => isTargetInside(limit, target)))

const isOfWholeOrganization = ({ targets }: Targeted<unknown>): boolean => targets.length === 0

function isTargetInside(limit: TargetIds, target: TargetIds): boolean {
  return (
    isCovered(target.groupIds, limit.groupIds) &&
    isCovered(target.tagIds, limit.tagIds) &&
    isCovered(target.memberIds, limit.memberIds)
  )
}

const isCovered = <Id>(ids: Id[] | null, allowed: Id[] | null): boolean =>
  allowed === null || (ids?.every((id) => allowed.includes(id)) ?? false)

// To clear a target is to reach everyone.
export function requireUnlimited(caller: Caller): void {
  if (isLimited(caller)) throw targetDenied('This key is limited, so it cannot reach everyone.')
}

export const targetDenied = (detail: string): Problem => new Problem('integration_key.target_denied', detail)
