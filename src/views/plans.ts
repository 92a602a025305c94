// The plans of a server as a table in Markdown, for openapi.json and the documentation.
import type { Allowance } from '../contract/limits.ts'
import { CAP_NAMES, CAPS, QUOTA_KINDS, QUOTA_MEANINGS } from '../contract/plans.ts'
import type { Plan, Plans } from '../domain/plans.ts'

export function plansTable({ names, named }: Plans): string {
  const plans = names.map(named)
  const row = (member: string, meaning: string, value: (plan: Plan) => string | number) =>
    `| \`${member}\` | ${meaning} | ${plans.map(value).join(' | ')} |`
  return [
    `| Member | Meaning | ${names.join(' | ')} |`,
    `|---|---|${'---|'.repeat(names.length)}`,
    ...QUOTA_KINDS.map((kind) => row(kind, QUOTA_MEANINGS[kind], ({ quotas }) => allowanceText(quotas[kind]))),
    ...CAP_NAMES.map((cap) => row(cap, CAPS[cap].meaning, ({ caps }) => caps[cap])),
  ].join('\n')
}

const allowanceText = (allowance: Allowance | null) =>
  allowance ? `${allowance.limit} a ${allowance.per}` : 'unlimited'
