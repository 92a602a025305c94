// Verification of passkeys in a thread of its own.
import type { Credential, NewCredential, UsedCredential } from '../../domain/accounts/passkey.ts'
import type { Log } from '../log.ts'
import { createThreads, entryBeside } from '../threads/host.ts'
import type { Expected, NewUse } from './verify.ts'

export type Task = { expected: Expected } & (
  | { kind: 'registration'; credential: NewCredential }
  | { kind: 'sign-in'; credential: UsedCredential; known: Credential }
)
export type Result = { verified?: Credential | NewUse; refusal?: string }

// 'unavailable': the thread has failed, which says nothing about the credential.
export type Verification<Verified> = Verified | 'refused' | 'unavailable'

export type PasskeyVerifier = {
  // Never rejects.
  verifyNewCredential(expected: Expected, credential: NewCredential): Promise<Verification<Credential>>
  // Never rejects.
  verifyUse(expected: Expected, credential: UsedCredential, known: Credential): Promise<Verification<NewUse>>
  close(): Promise<void>
}

export function createPasskeyVerifier(log: Log): PasskeyVerifier {
  const threads = createThreads<Task, Result>(log, {
    name: 'passkeys',
    entry: entryBeside(import.meta.url),
    memoryMb: 64,
    // Loading the library included.
    deadlineMs: 20_000,
    // The library asks Node for algorithms that Node calls experimental; the warnings would stand in the log.
    execArgv: [...process.execArgv, '--disable-warning=ExperimentalWarning'],
  })
  async function verify<Verified>(task: Task): Promise<Verification<Verified>> {
    // A sign-in has no account yet, so all wait in one line.
    const outcome = await threads.run('', task)
    if ('failure' in outcome) {
      log.warn({ failure: outcome.failure }, 'a passkey could not be verified')
      return 'unavailable'
    }
    const { verified, refusal } = outcome.result
    if (refusal) log.info({ refusal }, 'a passkey was refused')
    return (verified as Verified | undefined) ?? 'refused'
  }
  return {
    verifyNewCredential: (expected, credential) => verify({ kind: 'registration', expected, credential }),
    verifyUse: (expected, credential, known) => verify({ kind: 'sign-in', expected, credential, known }),
    close: threads.close,
  }
}
