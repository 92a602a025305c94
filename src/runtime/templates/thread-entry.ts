// The entry of the thread for templates: one task at a time.
import { parentPort } from 'node:worker_threads'
import { systemClock } from '../clock.ts'
import { parseErrors, renderFields } from './liquid.ts'
import type { FromThread, ToThread } from './thread.ts'

const post = (message: FromThread) => parentPort?.postMessage(message)

parentPort?.on('message', ({ fields, scope }: ToThread) => {
  post('begun')
  post(scope ? renderFields(fields, scope, systemClock.monotonicMs) : { errors: parseErrors(fields) })
})
