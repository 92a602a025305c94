// The entry of the thread for templates: one task at a time.
import { performance } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'
import { parseErrors, renderFields } from './liquid.ts'
import type { FromThread, ToThread } from './thread.ts'

const now = () => performance.now()
const post = (message: FromThread) => parentPort?.postMessage(message)

parentPort?.on('message', ({ fields, scope }: ToThread) => {
  post('begun')
  post(scope ? renderFields(fields, scope, now) : { errors: parseErrors(fields) })
})
