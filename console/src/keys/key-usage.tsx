// What a program has sent with its key in the last 30 days, and why requests were refused.
import '../usage/usage.css'
import type { UsageView } from '../../../src/contract/accounts/usage.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { KeyTable } from '../usage/tables.tsx'
import { loadKeys } from './load.ts'

async function load() {
  const [keys, usage] = await Promise.all([loadKeys('/integrations/keys'), api.get<UsageView>('/auth/me/usage')])
  return { keys, usage: usage.keys }
}

export function KeyUsage({ id }: { id: string }) {
  const { value } = useLoaded(load, { on: ['key.', 'notification.created'], key: id })
  const own = value?.usage.filter(({ key_id }) => key_id === id) ?? []
  return value && own.length > 0 ? <KeyTable usage={own} keys={value.keys} /> : null
}
