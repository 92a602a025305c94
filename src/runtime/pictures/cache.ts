// Finished pictures in memory: the least recently used ones go first, and one account takes at most a quarter of the room.

const MOST_PICTURES = 2000

export function createPictureCache(maxBytes: number) {
  // In the order of their last use.
  const pictures = new Map<string, { owner: string; bytes: Buffer }>()
  const bytesOf = new Map<string, number>()
  let total = 0

  function remove(key: string): void {
    const picture = pictures.get(key)
    if (!picture) return
    pictures.delete(key)
    total -= picture.bytes.length
    const left = (bytesOf.get(picture.owner) ?? 0) - picture.bytes.length
    if (left > 0) bytesOf.set(picture.owner, left)
    else bytesOf.delete(picture.owner)
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
    set(key: string, owner: string, bytes: Buffer): void {
      if (bytes.length > maxBytes / 4) return
      remove(key)
      while ((bytesOf.get(owner) ?? 0) + bytes.length > maxBytes / 4) removeOldest((one) => one === owner)
      while (total + bytes.length > maxBytes || pictures.size >= MOST_PICTURES) removeOldest(() => true)
      pictures.set(key, { owner, bytes })
      bytesOf.set(owner, (bytesOf.get(owner) ?? 0) + bytes.length)
      total += bytes.length
    },
    bytes: () => total,
  }
}
