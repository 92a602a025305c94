// Keys as the API returns them.
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import { api } from '../api/client.ts'

// The list of an account is an array; that of an organization has `items`, like all its lists.
export async function loadKeys(path: string): Promise<KeyView[]> {
  const list = await api.get<KeyView[] | { items: KeyView[] }>(path)
  return Array.isArray(list) ? list : list.items
}

// When a key was last used. The server stores the minute, which may begin before the key was created.
export const lastUseOf = ({ last_used_at, created_at }: Pick<KeyView, 'last_used_at' | 'created_at'>) =>
  last_used_at !== undefined && last_used_at < created_at ? created_at : last_used_at
