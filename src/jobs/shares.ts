// Slots that accounts share by dynamic thresholds, as in the buffers of network switches: an account may take no more
// slots than are still free. One busy account gets half of the slots, two get a third each, and a slot is always left for
// an account that has none. So the jobs of an account that wait for a hung server do not block other accounts.

export type Shares = {
  free(): number
  // Returns false if the account has its share. Jobs without an account only need a free slot.
  take(account: string | undefined): boolean
  giveBack(account: string | undefined): void
}

export function createShares(most: number): Shares {
  const takenBy = new Map<string, number>()
  let taken = 0
  return {
    free: () => most - taken,
    take(account) {
      const own = account === undefined ? 0 : (takenBy.get(account) ?? 0)
      if (own >= most - taken) return false
      taken += 1
      if (account !== undefined) takenBy.set(account, own + 1)
      return true
    },
    giveBack(account) {
      taken -= 1
      if (account === undefined) return
      const left = (takenBy.get(account) ?? 0) - 1
      if (left > 0) takenBy.set(account, left)
      else takenBy.delete(account)
    },
  }
}
