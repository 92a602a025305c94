// A socket that sends what is written in one turn of the event loop together. A transaction writes several statements
// before it waits for an answer, and each system call costs more than a statement does.
import { Socket } from 'node:net'

export class GatheringSocket extends Socket {
  #isGathering = false

  // What corks the socket for a statement of its own is gathered with those around it.
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
