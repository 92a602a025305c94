// The problem of a request to a hook, with the kind whose senders the answer is for.
import { Problem } from '../../contract/problems.ts'
import type { HookKind } from './hook.ts'

export class HookRefusal extends Problem {
  readonly kind: HookKind

  constructor({ problem, detail, members, cause }: Problem, kind: HookKind) {
    super(problem, detail, members, cause)
    this.kind = kind
  }
}
