// When a key was last used. The server stores the minute, which may begin before the key was created.
import type { KeyView } from '../../../src/contract/keys.ts'

export const lastUseOf = ({ last_used_at, created_at }: Pick<KeyView, 'last_used_at' | 'created_at'>) =>
  last_used_at !== undefined && last_used_at < created_at ? created_at : last_used_at
