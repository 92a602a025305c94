// The entry of the thread for passkeys.
import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './thread.ts'
import { verifyNewCredential, verifyUse } from './verify.ts'

const post = (message: FromThread) => parentPort?.postMessage(message)

parentPort?.on('message', async ({ number, expected, task }: ToThread) => {
  try {
    const result =
      task.kind === 'registration'
        ? await verifyNewCredential(expected, task.credential)
        : await verifyUse(expected, task.credential, task.known)
    post({ number, result })
  } catch (error) {
    // The library throws for everything that is wrong with a response.
    post({ number, refusal: error instanceof Error ? error.message : String(error) })
  }
})
