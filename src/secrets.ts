// The server's own secrets, made at the first start: in files of the data folder, or in PostgreSQL where nodes share
// them. A secret that cannot be read or is damaged stops the start; it is never replaced (decision 22).
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { StartError } from './domain/start-error.ts'
import { generateVapidKeys, parseVapidKeys, type VapidKeys } from './push/channels/web-push/vapid.ts'
import type { Log } from './runtime/log.ts'
import { readSecretFile, storeSecretFile } from './runtime/secret-file.ts'
import type { Config } from './runtime/settings.ts'
import { hasUsers } from './store/accounts/accounts.ts'
import type { Database, Reader } from './store/engine/database.ts'
import { agreeOnSecret, findSecret } from './store/server-secrets.ts'

export type Secrets = { vapid: VapidKeys; signingKey: Buffer }

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

type SecretStore = {
  // Where an operator finds this secret.
  place(name: string): string
  read(name: string): Promise<string | undefined>
  store(name: string, secret: string): Promise<string>
}

const VAPID_KEYS: SecretKind<VapidKeys> = {
  name: 'vapid-keys.json',
  form: 'a P-256 key pair as JSON with publicKey and privateKey',
  lossOfOld: 'ends every Web Push subscription',
  make: () => JSON.stringify(generateVapidKeys()),
  parse: parseVapidKeys,
}

const SIGNING_KEY_BYTES = 32

const SIGNING_KEY: SecretKind<Buffer> = {
  name: 'signing.key',
  form: `${SIGNING_KEY_BYTES} bytes in base64`,
  lossOfOld: 'ends every answer ticket and every link in an e-mail',
  make: () => randomBytes(SIGNING_KEY_BYTES).toString('base64'),
  parse: parseSigningKey,
}

export async function loadSecrets(config: Config, db: Database, log: Log): Promise<Secrets> {
  const store = config.databaseUrl ? tableOf(db) : folderOf(config.dataDir)
  const load = async <Value>(kind: SecretKind<Value>): Promise<Value> => {
    const place = store.place(kind.name)
    const known = await store.read(kind.name)
    if (known === undefined && (await hasUsers(db.read))) warnOfLoss(log, kind, place)
    return parseOrRefuse(kind, place, known ?? (await store.store(kind.name, kind.make())))
  }
  return { vapid: await load(VAPID_KEYS), signingKey: await load(SIGNING_KEY) }
}

// The texts of the secrets by their names, for a backup. A server that has never started has none.
export async function readSecretTexts(config: Config, db: Reader): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const { name } of [SIGNING_KEY, VAPID_KEYS]) {
    const text = config.databaseUrl ? await findSecret(db, name) : readSecretFile(secretPath(config.dataDir, name))
    if (text !== undefined) texts.set(name, text)
  }
  return texts
}

export const secretPath = (folder: string, name: string) => join(folder, name)

function folderOf(folder: string): SecretStore {
  const place = (name: string) => secretPath(folder, name)
  return {
    place,
    read: async (name) => readSecretFile(place(name)),
    store: async (name, secret) => storeSecretFile(place(name), secret),
  }
}

function tableOf(db: Database): SecretStore {
  return {
    place: (name) => `the row '${name}' of the table server_secrets`,
    read: (name) => findSecret(db.read, name),
    store: (name, secret) => agreeOnSecret(db, name, secret),
  }
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
function parseSigningKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length !== SIGNING_KEY_BYTES || key.toString('base64') !== text.trim()) throw new Error('not a signing key')
  return key
}
