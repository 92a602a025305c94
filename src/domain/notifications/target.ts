// `target` chooses among the members of an organization. A person's token or key has no organization to choose from.
import { Problem } from '../../contract/problems.ts'
import type { Target } from '../../contract/target.ts'

export function requireNoTarget(target: Target | null | undefined): void {
  if (target) throw new Problem('org.target_unavailable', 'target is only for the keys of an organization.')
}
