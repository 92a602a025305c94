// Verification of passkeys in a thread of its own, which starts with the first one.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Credential, NewCredential, UsedCredential } from '../../domain/accounts/passkey.ts'
import type { Log } from '../log.ts'
import type { Expected, NewUse } from './verify.ts'

type Task =
  | { kind: 'registration'; credential: NewCredential }
  | { kind: 'sign-in'; credential: UsedCredential; known: Credential }
export type ToThread = { number: number; expected: Expected; task: Task }
export type FromThread = { number: number; result?: Credential | NewUse; refusal?: string }

export type PasskeyVerifier = {
  // Undefined if the credential is refused. Never rejects.
  verifyNewCredential(expected: Expected, credential: NewCredential): Promise<Credential | undefined>
  // Undefined if the signature is refused. Never rejects.
  verifyUse(expected: Expected, credential: UsedCredential, known: Credential): Promise<NewUse | undefined>
  close(): Promise<void>
}

const ENTRY = new URL(`./thread-entry${extname(import.meta.url)}`, import.meta.url)
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }
// The library asks Node for algorithms that Node calls experimental; the warnings would stand in the log.
const EXEC_ARGV = [...process.execArgv, '--disable-warning=ExperimentalWarning']
// Loading the library included.
const DEADLINE_MS = 20_000
const MOST_WAITING = 100

type Waiting = { resolve(result: FromThread['result']): void; deadline: NodeJS.Timeout }

export function createPasskeyVerifier(log: Log): PasskeyVerifier {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let lastNumber = 0

  function settle({ number, result, refusal }: FromThread) {
    if (refusal) log.info({ refusal }, 'a passkey was refused')
    const task = waiting.get(number)
    clearTimeout(task?.deadline)
    waiting.delete(number)
    task?.resolve(result)
    if (waiting.size === 0) worker?.unref()
  }

  function start(): Worker {
    const started = new Worker(ENTRY, { resourceLimits: MEMORY, execArgv: EXEC_ARGV })
    started.on('message', settle)
    started.on('error', (error) => log.warn({ err: error }, 'the thread for passkeys has failed'))
    started.on('exit', () => {
      worker = undefined
      for (const number of waiting.keys()) settle({ number })
    })
    return started
  }

  function run(expected: Expected, task: Task): Promise<FromThread['result']> {
    if (waiting.size >= MOST_WAITING) return Promise.resolve(undefined)
    worker ??= start()
    worker.ref()
    const number = ++lastNumber
    return new Promise((resolve) => {
      const deadline = setTimeout(() => void worker?.terminate(), DEADLINE_MS)
      waiting.set(number, { resolve, deadline })
      worker?.postMessage({ number, expected, task } satisfies ToThread)
    })
  }

  return {
    verifyNewCredential: async (expected, credential) =>
      (await run(expected, { kind: 'registration', credential })) as Credential | undefined,
    verifyUse: async (expected, credential, known) =>
      (await run(expected, { kind: 'sign-in', credential, known })) as NewUse | undefined,
    async close() {
      await worker?.terminate()
    },
  }
}
