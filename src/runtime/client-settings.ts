// Settings of the commands that are clients of a server: the address also has a flag, the token only a variable.
import type { Secret } from './secret.ts'
import { bearerToken, serverUrl } from './setting-values.ts'
import { SETTINGS, type Setting } from './settings.ts'

export const CLIENT_SETTINGS: { url: Setting<string>; token: Setting<Secret | undefined> } = {
  url: {
    meaning: 'Address of the server',
    form: 'URL',
    fallback: `http://${SETTINGS.host.fallback}:${SETTINGS.port.fallback}`,
    parse: serverUrl,
  },
  token: {
    meaning: 'Full-access token (hla_…) of your account; "heliograph token create" prints one',
    form: 'hla_…',
    fallback: undefined,
    fallbackText: 'none',
    parse: bearerToken,
  },
}

export type ClientConfig = { readonly url: string; readonly token: Secret | undefined }
