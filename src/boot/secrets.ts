// The server's own secrets, made at the first start: in files of the data folder, or in PostgreSQL where nodes share
// them. A secret that cannot be read or is damaged stops the start; it is never replaced (decision 22).
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { StartError } from '../domain/errors.ts'
import { generateVapidKeys, parseVapidKeys, type VapidKeys } from '../push/channels/web-push/vapid.ts'
import { readSecretFile, storeSecretFile } from '../runtime/durable-files.ts'
import type { Log } from '../runtime/log.ts'
import type { Config } from '../runtime/settings.ts'
import { hasUsers } from '../store/accounts/accounts.ts'
import type { Database, Reader } from '../store/engine/database.ts'
import { agreeOnSecret, findSecret } from '../store/server.ts'

export type Secrets = { vapid: VapidKeys; signingKey: Buffer; sealingKey: Buffer }

type SecretKind<Value> = {
  name: string
  // Completes "… is damaged: it must hold …".
  form: string
  // Completes "a new one …", for the operator who has to choose between a backup and a new secret.
  lossOfOld: string
  make(): string
  // Throws when the text has another form.
  parse(text: string): Value
}

const VAPID_KEYS: SecretKind<VapidKeys> = {
  name: 'vapid-keys.json',
  form: 'a P-256 key pair as JSON with publicKey and privateKey',
  lossOfOld: 'ends every Web Push subscription',
  make: () => JSON.stringify(generateVapidKeys()),
  parse: parseVapidKeys,
}

const KEY_BYTES = 32

const SIGNING_KEY: SecretKind<Buffer> = {
  name: 'signing.key',
  form: `${KEY_BYTES} bytes in base64`,
  lossOfOld: 'ends every answer ticket and every link in an e-mail',
  make: () => randomBytes(KEY_BYTES).toString('base64'),
  parse: parseKey,
}

const SEALING_KEY: SecretKind<Buffer> = {
  name: 'sealing.key',
  form: `${KEY_BYTES} bytes in base64`,
  lossOfOld: 'ends the links to apps of other services, which have to be added again',
  make: () => randomBytes(KEY_BYTES).toString('base64'),
  parse: parseKey,
}

export async function loadSecrets(config: Config, db: Database, log: Log): Promise<Secrets> {
  // Asked first: another process may make the secrets and then the first account in between.
  const mustExist = await hasUsers(db.read)
  const known = await readSecretTexts(config, db.read)
  const load = async <Value>(kind: SecretKind<Value>): Promise<Value> => {
    const place = placeOf(config, kind.name)
    const text = known.get(kind.name)
    if (text === undefined && mustExist) warnOfLoss(log, kind, place)
    return parseOrRefuse(kind, place, text ?? (await storeSecret(config, db, kind)))
  }
  return { vapid: await load(VAPID_KEYS), signingKey: await load(SIGNING_KEY), sealingKey: await load(SEALING_KEY) }
}

// The texts of the secrets by their names. A server that has never started has none.
export async function readSecretTexts(config: Config, db: Reader): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const { name } of [SIGNING_KEY, VAPID_KEYS, SEALING_KEY]) {
    const text = config.databaseUrl ? await findSecret(db, name) : readSecretFile(secretPath(config.dataDir, name))
    if (text !== undefined) texts.set(name, text)
  }
  return texts
}

// Unlike `loadSecrets` it makes none: a missing secret is an error.
export async function readSecrets(config: Config, db: Reader): Promise<Secrets> {
  const texts = await readSecretTexts(config, db)
  const read = <Value>(kind: SecretKind<Value>): Value => {
    const [text, place] = [texts.get(kind.name), placeOf(config, kind.name)]
    if (text !== undefined) return parseOrRefuse(kind, place, text)
    throw new StartError(
      `there is no secret in ${place}; restore a backup, or get a new one by a start, which ${kind.lossOfOld}`,
    )
  }
  return { vapid: read(VAPID_KEYS), signingKey: read(SIGNING_KEY), sealingKey: read(SEALING_KEY) }
}

export const secretPath = (folder: string, name: string) => join(folder, name)

// Where an operator finds a secret.
const placeOf = ({ databaseUrl, dataDir }: Config, name: string) =>
  databaseUrl ? `the row '${name}' of the table server_secrets` : secretPath(dataDir, name)

// Returns the stored one, which another process may have made a moment ago.
async function storeSecret({ databaseUrl, dataDir }: Config, db: Database, { name, make }: SecretKind<unknown>) {
  return databaseUrl ? agreeOnSecret(db, name, make()) : storeSecretFile(secretPath(dataDir, name), make())
}

function warnOfLoss(log: Log, { lossOfOld }: SecretKind<unknown>, place: string): void {
  log.warn({ secret: place }, `a secret is missing although there are accounts; the new one ${lossOfOld}`)
}

// The reason is not told: the parser's message may quote the secret.
function parseOrRefuse<Value>({ form, lossOfOld, parse }: SecretKind<Value>, place: string, text: string): Value {
  try {
    return parse(text)
  } catch {
    throw new StartError(
      `the secret in ${place} is damaged: it must hold ${form}; restore it from a backup, or delete it to get a new one, which ${lossOfOld}`,
    )
  }
}

// A shorter key would make tickets that anyone can forge.
function parseKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length !== KEY_BYTES || key.toString('base64') !== text.trim()) throw new Error('not a key')
  return key
}
