// What names an escalation policy, and so keeps it from being deleted unless that is forced.
import { Problem } from '../../contract/problems.ts'
import type { Escalation } from '../../domain/escalations.ts'
import { openForServer } from '../../domain/organizations/limit.ts'
import type { Reader } from '../../store/engine/database.ts'
import { listHeartbeats } from '../../store/heartbeats/heartbeats.ts'
import { listHooks } from '../../store/hooks/hooks.ts'
import { listPending } from '../../store/schedules.ts'

// Few rows: an account has a bounded number of each.
export async function requireUnused(db: Reader, { userId, slug }: Pick<Escalation, 'userId' | 'slug'>): Promise<void> {
  const [heartbeats, hooks, schedules] = await Promise.all([
    listHeartbeats(db, userId),
    listHooks(db, userId),
    listPending(db, { userId, keyId: null }),
  ])
  const usedBy = {
    heartbeats: heartbeats.filter((one) => openForServer(one)?.settings.acknowledge?.escalation === slug).length,
    hooks: hooks.filter(({ options }) => options.escalation === slug).length,
    schedules: schedules.filter((one) => openForServer(one)?.input.acknowledge?.escalation === slug).length,
  }
  if (Object.values(usedBy).every((count) => count === 0)) return
  throw new Problem(
    'escalation.in_use',
    'Heartbeats, hooks or pending schedules name it; delete it with ?force=true all the same.',
    { used_by: usedBy },
  )
}
