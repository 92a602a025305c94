// Loads the keys of an account or an organization. The list of an account is an array; that of an organization has `items`,
// like all its lists.
import type { KeyView } from '../../../src/contract/keys.ts'
import { api } from '../api/client.ts'

export async function loadKeys(path: string): Promise<KeyView[]> {
  const list = await api.get<KeyView[] | { items: KeyView[] }>(path)
  return Array.isArray(list) ? list : list.items
}
