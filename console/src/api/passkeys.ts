// What the browser does with passkeys: makes one, and signs in with one. Loaded when it is needed.
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import type {
  PasskeyRegistrationOptions,
  PasskeySignInOptions,
  PasskeyView,
} from '../../../src/contract/accounts/passkey.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { api } from './client.ts'

// The contract knows of transports only that they are texts.
type RegistrationJson = Parameters<typeof startRegistration>[0]['optionsJSON']

export async function makePasskey(name: string): Promise<PasskeyView> {
  const options = await api.post<PasskeyRegistrationOptions>('/auth/passkeys/options')
  const credential = await inWords(() => startRegistration({ optionsJSON: options as RegistrationJson }))
  return api.post('/auth/passkeys', { name, credential })
}

export async function usePasskey(): Promise<void> {
  const options = await api.post<PasskeySignInOptions>('/auth/session/passkey/options')
  const credential = await inWords(() => startAuthentication({ optionsJSON: options }))
  await api.post('/auth/session/passkey', { credential })
}

// Browsers do not tell why: the person may have canceled, or there is no passkey for this server.
async function inWords<Result>(ceremony: () => Promise<Result>): Promise<Result> {
  try {
    return await ceremony()
  } catch (error) {
    const isKnown = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new Error(isKnown ? ACCOUNT_TEXTS.passkeys.registeredAlready : ACCOUNT_TEXTS.passkeys.notDone)
  }
}
