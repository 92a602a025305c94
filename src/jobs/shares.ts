// Slots that accounts share. An account may take no more slots than are still free (dynamic thresholds, known from the
// buffers of network switches): alone it gets half of them, beside another hog a third, and there is always a slot left
// for an account that has none. So jobs of one account that wait for a hung server keep no other account waiting.

export type Shares = {
  free(): number
  // Returns false when the account has its share. Jobs that belong to no account only need a free slot.
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
