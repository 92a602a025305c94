// The entry of the thread for passkeys.
import { parentPort } from 'node:worker_threads'
import type { FromThread } from '../task-threads.ts'
import type { Result, Task } from './thread.ts'
import { verifyNewCredential, verifyUse } from './verify.ts'

const post = (message: FromThread<Result>) => parentPort?.postMessage(message)

parentPort?.on('message', async (task: Task) => {
  const { expected } = task
  try {
    const verified =
      task.kind === 'registration'
        ? await verifyNewCredential(expected, task.credential)
        : await verifyUse(expected, task.credential, task.known)
    post({ result: { verified } })
  } catch (error) {
    // The library throws for everything that is wrong with a response.
    post({ result: { refusal: error instanceof Error ? error.message : String(error) } })
  }
})
