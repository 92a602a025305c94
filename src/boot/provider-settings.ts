// The providers that are configured: APNs, the mail server and sign-in with Apple. Half a configuration stops the start.
import { readFileSync } from 'node:fs'
import { StartError } from '../domain/errors.ts'
import { createProviderToken, type ProviderKey } from '../push/channels/apns/provider-token.ts'
import type { ChannelOptions } from '../push/channels/channels.ts'
import { type MailChannel, openSmtp, type SmtpOptions } from '../push/channels/smtp.ts'
import { type AppleVerifier, openAppleSignIn } from '../runtime/apple-sign-in.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { type Config, publicUrlOf } from '../runtime/settings.ts'

// Throws before anything is created or opened.
export function requireProviderSettings(config: Config): void {
  apnsOptions(config)
  barkOptions(config)
  smtpOptions(config)
}

export function apnsOptions(config: Config): ChannelOptions['apns'] {
  const { apnsKeyFile, apnsKeyId: keyId, apnsTeamId: teamId, apnsTopic: topic } = config
  if (!apnsKeyFile && !keyId && !teamId && !topic) return undefined
  if (!apnsKeyFile || !keyId || !teamId || !topic) {
    throw new StartError(
      'pushes to Apple devices need all of HELIOGRAPH_APNS_KEY_FILE, _KEY_ID, _TEAM_ID and _TOPIC; set all of them or none',
    )
  }
  const provider = readProvider(apnsKeyFile, { keyId, teamId }, 'HELIOGRAPH_APNS_KEY_FILE')
  return { topic, productionUrl: config.apnsUrl, sandboxUrl: config.apnsSandboxUrl, ...provider }
}

// The Bark app of the store gets pushes by the production service only.
export function barkOptions(config: Config): ChannelOptions['bark'] {
  const { barkKeyFile, barkKeyId: keyId, barkTeamId: teamId, barkTopic: topic, apnsUrl } = config
  if (!barkKeyFile && !keyId && !teamId) return undefined
  if (!barkKeyFile || !keyId || !teamId) {
    throw new StartError(
      'pushes to the Bark app need all of HELIOGRAPH_BARK_KEY_FILE, _KEY_ID and _TEAM_ID; set all of them or none',
    )
  }
  const provider = readProvider(barkKeyFile, { keyId, teamId }, 'HELIOGRAPH_BARK_KEY_FILE')
  return { topic, productionUrl: apnsUrl, sandboxUrl: apnsUrl, ...provider }
}

function readProvider(file: string, ids: Omit<ProviderKey, 'key'>, setting: string): ProviderKey {
  try {
    const provider = { key: readFileSync(file, 'utf8'), ...ids }
    // Throws if the key cannot sign: at the start rather than with the first push.
    createProviderToken(provider, systemClock)
    return provider
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'not a usable .p8 key'
    throw new StartError(`the APNs key ${file} cannot be used (${reason}); check ${setting}`)
  }
}

export function openMailIfConfigured(
  config: Config,
  parts: Omit<SmtpOptions, 'url' | 'from'>,
): MailChannel | undefined {
  const options = smtpOptions(config)
  if (!options) return undefined
  if (!config.publicUrl) {
    parts.log.warn(
      { url: publicUrlOf(config) },
      'links in e-mail lead here; set HELIOGRAPH_PUBLIC_URL to what people can reach',
    )
  }
  return openSmtp({ ...options, ...parts })
}

export function smtpOptions({ smtpUrl: url, mailFrom: from }: Config): Pick<SmtpOptions, 'url' | 'from'> | undefined {
  if (!url && !from) return undefined
  if (!url || !from)
    throw new StartError('e-mail needs both HELIOGRAPH_SMTP_URL and HELIOGRAPH_MAIL_FROM; set both or neither')
  return { url, from }
}

export function openAppleSignInIfConfigured(config: Config, clock: Clock, log: Log): AppleVerifier | undefined {
  const { appleAudience: audience, appleKeysUrl: keysUrl } = config
  return audience.length > 0 ? openAppleSignIn({ audience, keysUrl, clock, log }) : undefined
}
