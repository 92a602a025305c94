// Links to the wall as clients see them.
import type { WallLinkView } from '../contract/wall.ts'
import { type Instant, toRfc3339 } from '../domain/instant.ts'

type WallLink = { id: string; name: string | null; createdAt: Instant }

export const wallLinkView = ({ id, name, createdAt }: WallLink): WallLinkView => ({
  id,
  ...(name !== null && { name }),
  created_at: toRfc3339(createdAt),
})
