// The entry of the thread for passkeys.
import { serveTasks } from '../threads/entry.ts'
import type { Result, Task } from './thread.ts'
import { verifyNewCredential, verifyUse } from './verify.ts'

serveTasks<Task, Result>(async (task) => {
  const { expected } = task
  try {
    const verified =
      task.kind === 'registration'
        ? await verifyNewCredential(expected, task.credential)
        : await verifyUse(expected, task.credential, task.known)
    return { verified }
  } catch (error) {
    // The library throws for everything that is wrong with a response.
    return { refusal: error instanceof Error ? error.message : String(error) }
  }
})
