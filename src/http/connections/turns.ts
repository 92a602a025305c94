// Requests that arrive in one turn of the event loop go on together, once all of them have been read. Their queries are then
// gathered, and their responses written one after the other: a client on the same machine that is woken by each response takes the
// processor from the server in between (docs/decisions/0074-requests-of-a-turn.md).
let turn: PromiseWithResolvers<void> | undefined

export function untilTurnEnds(): Promise<void> {
  if (!turn) {
    turn = Promise.withResolvers()
    setImmediate(end)
  }
  return turn.promise
}

function end(): void {
  turn?.resolve()
  turn = undefined
}
