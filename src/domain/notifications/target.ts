// `target` selects members of an organization, which a person's token or key does not have.

import type { Target } from '../../contract/organizations/target.ts'
import { Problem } from '../../contract/problems.ts'

export function requireNoTarget(target: Target | null | undefined): void {
  if (target) throw new Problem('org.target_unavailable', 'target is only for the keys of an organization.')
}
