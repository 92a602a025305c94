// Settings of the commands that are clients of a server. The token has no flag, because other users of the machine can
// read flags.
import { DEFAULT_PROFILE } from './profiles.ts'
import type { Secret } from './secret.ts'
import { bearerToken, nonEmpty, serverUrl } from './setting-values.ts'
import { SETTINGS, type Setting } from './settings.ts'

export const CLIENT_SETTINGS: {
  url: Setting<string>
  token: Setting<Secret | undefined>
  profile: Setting<string>
} = {
  url: {
    meaning: 'Address of the server',
    form: 'URL',
    fallback: `http://${SETTINGS.host.fallback}:${SETTINGS.port.fallback}`,
    parse: serverUrl,
  },
  token: {
    meaning: 'Full-access token (hla_…) of your account, or integration key (hlk_…)',
    form: 'TOKEN',
    fallback: undefined,
    fallbackText: 'none',
    parse: bearerToken,
  },
  profile: {
    meaning: 'Address and token that "heliograph login" has stored under this name',
    form: 'NAME',
    fallback: DEFAULT_PROFILE,
    parse: nonEmpty,
  },
}

export type ClientConfig = {
  readonly url: string
  readonly token: Secret | undefined
  // The profile that url or token comes from.
  readonly profile?: string
  readonly warnings: readonly string[]
}
