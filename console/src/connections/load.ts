// Loads what the list of programs is made of.
import type { UsageView } from '../../../src/contract/accounts/usage.ts'
import type { HeartbeatView } from '../../../src/contract/heartbeats.ts'
import type { HookView } from '../../../src/contract/hooks.ts'
import { api } from '../api/client.ts'
import { loadKeys } from '../keys/load.ts'
import { type Program, programsOf } from './programs.ts'

export async function loadPrograms(): Promise<Program[]> {
  const [keys, hooks, heartbeats, usage] = await Promise.all([
    loadKeys('/integrations/keys'),
    api.get<{ items: HookView[] }>('/integrations/hooks'),
    api.get<{ items: HeartbeatView[] }>('/heartbeats'),
    api.get<UsageView>('/auth/me/usage'),
  ])
  return programsOf({ keys, hooks: hooks.items, heartbeats: heartbeats.items, usage: usage.keys })
}
