// Settings of the commands that are clients of a server, and the profiles that they may come from. The token has no flag,
// because other users of the machine can read flags.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode, StartError } from '../domain/errors.ts'
import type { Secret } from './secret.ts'
import { bearerToken, nonEmpty, serverUrl } from './setting-values.ts'
import { SETTINGS, type Setting } from './settings.ts'

const DEFAULT_PROFILE = 'default'

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
    isSecret: true,
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

// Profiles: servers that "heliograph login" has stored for a person, each with its token, in one file that only its owner
// can read.
export type Profile = { url: string; token: string }
export type Profiles = Record<string, Profile>

export function readProfiles(file: string): Profiles {
  const text = readIfThere(file)
  return text === undefined ? {} : parseProfiles(text, file)
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = errorCode(error) ?? error
    if (reason === 'ENOENT' || reason === 'ENOTDIR') return undefined
    throw new StartError(`${file} cannot be read (${reason})`)
  }
}

// Replaced by a rename: a process that reads at the same time sees the old file or the new one.
export function writeProfiles(file: string, profiles: Profiles): void {
  const draft = `${file}.${process.pid}.new`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    if (existsSync(draft)) rmSync(draft)
    throw new StartError(`${file} cannot be written (${errorCode(error) ?? error})`)
  }
}

// Windows reports modes that say nothing about other users.
export function isReadableByOthers(file: string): boolean {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  return process.platform !== 'win32' && (mode & 0o077) !== 0
}

function parseProfiles(text: string, file: string): Profiles {
  try {
    const { profiles } = JSON.parse(text)
    if (Object.values(profiles).every(isProfile)) return profiles
  } catch {
    // Reported below, like JSON of another shape.
  }
  throw new StartError(`${file} does not hold profiles; "heliograph login" writes a new one after you delete it`)
}

function isProfile(value: unknown): value is Profile {
  const { url, token } = (value ?? {}) as Partial<Profile>
  return typeof url === 'string' && typeof token === 'string'
}
