// Finished pictures in memory: the least recently used ones go first, and one account takes at most a quarter of the room.

const MOST_PICTURES = 2000

type Kept = { owner: string; variant: string | undefined; bytes: Buffer }

export function createPictureCache(maxBytes: number) {
  // In the order of their last use.
  const pictures = new Map<string, Kept>()
  // The key of the newest picture of each variant.
  const latest = new Map<string, string>()
  const bytesOf = new Map<string, number>()
  let total = 0

  function remove(key: string): void {
    const picture = pictures.get(key)
    if (!picture) return
    const { owner, variant, bytes } = picture
    pictures.delete(key)
    if (variant && latest.get(variant) === key) latest.delete(variant)
    total -= bytes.length
    const left = (bytesOf.get(owner) ?? 0) - bytes.length
    if (left > 0) bytesOf.set(owner, left)
    else bytesOf.delete(owner)
  }

  function removeOldest(isConcerned: (owner: string) => boolean): void {
    for (const [key, { owner }] of pictures) {
      if (!isConcerned(owner)) continue
      remove(key)
      return
    }
  }

  return {
    get(key: string): Buffer | undefined {
      const picture = pictures.get(key)
      if (!picture) return undefined
      pictures.delete(key)
      pictures.set(key, picture)
      return picture.bytes
    },
    latestOf(variant: string): { key: string; picture: Buffer } | undefined {
      const key = latest.get(variant)
      const picture = key === undefined ? undefined : pictures.get(key)
      return picture && key !== undefined ? { key, picture: picture.bytes } : undefined
    },
    set(key: string, kept: Kept): void {
      const { owner, variant, bytes } = kept
      if (bytes.length > maxBytes / 4) return
      remove(key)
      while ((bytesOf.get(owner) ?? 0) + bytes.length > maxBytes / 4) removeOldest((one) => one === owner)
      while (total + bytes.length > maxBytes || pictures.size >= MOST_PICTURES) removeOldest(() => true)
      pictures.set(key, kept)
      if (variant) latest.set(variant, key)
      bytesOf.set(owner, (bytesOf.get(owner) ?? 0) + bytes.length)
      total += bytes.length
    },
    bytes: () => total,
  }
}
