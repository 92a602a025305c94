// The known name that a mistyped one probably means.

// Half of a short name: with fewer equal letters the likeness is a coincidence.
const mostEdits = (name: string) => Math.min(3, Math.floor(name.length / 2))

export function nearestName(name: string, known: string[]): string | undefined {
  const distances = known.map((candidate) => ({ candidate, edits: editDistance(name, candidate) }))
  const [nearest] = distances.toSorted((a, b) => a.edits - b.edits)
  return nearest && nearest.edits <= mostEdits(name) ? nearest.candidate : undefined
}

// Levenshtein: the least number of letters to insert, delete or replace. One row of the table at a time.
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
