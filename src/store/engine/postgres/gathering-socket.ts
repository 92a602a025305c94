// A socket that sends everything written in one event-loop turn with one system call. A transaction pipelines several
// statements before it waits for an answer, and a system call costs more than a statement.
import { Socket } from 'node:net'

export class GatheringSocket extends Socket {
  #isGathering = false

  // pg corks and uncorks around each statement. The second cork keeps the socket corked until the end of this turn.
  override cork(): void {
    super.cork()
    if (this.#isGathering) return
    this.#isGathering = true
    super.cork()
    setImmediate(() => {
      this.#isGathering = false
      super.uncork()
    })
  }
}
