// The plans of a server: the two of the contract and those that the operator names, each with its quotas and caps.
//
// A plan whose name is `free` or begins with `free-` starts from the numbers of `free` and may not share or create organizations;
// every other one starts from `paid`. So a name alone says what an account may do, also that of a plan which is no longer set.
import { type Allowance, QUOTAS, type QuotaKind } from '../contract/limits.ts'
import { CAP_NAMES, CAPS, type CapName, type PlanName, QUOTA_KINDS } from '../contract/plans.ts'

export type Quotas = Record<QuotaKind, Allowance | null>
export type Caps = Record<CapName, number>

// `quotas`: null is counted without a limit.
export type Plan = { name: PlanName; isPaid: boolean; quotas: Quotas; caps: Caps }

export type PlanChanges = { quotas: Partial<Quotas>; caps: Partial<Caps> }

export type Plans = {
  // `free`, `paid`, then those of the operator.
  names: PlanName[]
  // A name that is not set has the numbers of `free` or `paid`: the account goes on working.
  named(name: PlanName): Plan
}

export const isPaidPlan = (name: PlanName): boolean => name !== 'free' && !name.startsWith('free-')

export function plansWith(changes: ReadonlyMap<PlanName, PlanChanges>): Plans {
  const plans = new Map(['free', 'paid'].map((name) => [name, changed(basePlan(name), changes.get(name))]))
  const named = (name: PlanName): Plan => {
    const start = plans.get(isPaidPlan(name) ? 'paid' : 'free') as Plan
    return plans.get(name) ?? { ...start, name }
  }
  for (const [name, ofPlan] of changes) {
    if (!plans.has(name)) plans.set(name, changed(named(name), ofPlan))
  }
  return { names: [...plans.keys()], named }
}

function changed(plan: Plan, changes: PlanChanges | undefined): Plan {
  return { ...plan, quotas: { ...plan.quotas, ...changes?.quotas }, caps: { ...plan.caps, ...changes?.caps } }
}

function basePlan(name: PlanName): Plan {
  const isPaid = isPaidPlan(name)
  const which = isPaid ? 'paid' : 'free'
  const caps = Object.fromEntries(CAP_NAMES.map((cap) => [cap, CAPS[cap][which]])) as Caps
  return { name, isPaid, quotas: QUOTAS[which], caps }
}

export const CONTRACT_PLANS = plansWith(new Map())

const NAME = /^[a-z][a-z0-9-]{0,31}$/

// Reads the setting. Throws an Error whose message completes "HELIOGRAPH_PLANS must be …".
export function parsePlans(text: string): Plans {
  const plans = membersOf(parseJson(text), 'a JSON object such as {"paid": {"emails": "unlimited"}}')
  return plansWith(new Map(plans.map(([name, members]) => [checkName(name), changesOf(name, members)])))
}

function checkName(name: string): PlanName {
  if (NAME.test(name)) return name
  throw new Error(`JSON whose plans have names of at most 32 lower-case letters, digits and hyphens, not "${name}"`)
}

function changesOf(plan: PlanName, value: unknown): PlanChanges {
  const changes: PlanChanges = { quotas: {}, caps: {} }
  for (const [member, given] of membersOf(value, `JSON whose ${plan} is an object`)) {
    const [quota, cap] = [QUOTA_KINDS.find((kind) => kind === member), CAP_NAMES.find((name) => name === member)]
    if (quota) changes.quotas[quota] = readQuota(`${plan}.${member}`, given, quota === 'notifications')
    else if (cap) changes.caps[cap] = readCap(`${plan}.${member}`, given, CAPS[cap].most)
    else throw new Error(`JSON without ${plan}.${member}; a plan has ${[...QUOTA_KINDS, ...CAP_NAMES].join(', ')}`)
  }
  return changes
}

const QUOTA = /^(\d{1,12})\/(month|day)$/

// Only notifications may be limited by the day: `GET /auth/me` says when they reset, and the others by the month.
function readQuota(place: string, given: unknown, mayBeDaily: boolean): Allowance | null {
  if (given === 'unlimited') return null
  const [, limit, per] = (typeof given === 'string' && QUOTA.exec(given)) || []
  if (!limit || (per === 'day' && !mayBeDaily)) {
    const examples = mayBeDaily ? '"500/month", "5000/day"' : '"500/month"'
    throw new Error(`JSON whose ${place} is such as ${examples} or "unlimited", not ${JSON.stringify(given)}`)
  }
  return { limit: Number(limit), per: per as Allowance['per'] }
}

// `unlimited` is what the server bears.
function readCap(place: string, given: unknown, most: number): number {
  if (given === 'unlimited') return most
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= most) return given
  throw new Error(`JSON whose ${place} is from 1 to ${most} or "unlimited", not ${JSON.stringify(given)}`)
}

function membersOf(value: unknown, expected: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(expected)
  return Object.entries(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`valid JSON: ${(error as SyntaxError).message}`)
  }
}
