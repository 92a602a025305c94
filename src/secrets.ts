// The server's own secrets, made at the first start: in files of the data folder, or in PostgreSQL where nodes share them.
import { randomBytes } from 'node:crypto'
import { generateVapidKeys, type VapidKeys } from './delivery/channels/web-push/vapid.ts'
import { readOrMakeSecret } from './runtime/secret-file.ts'
import type { Config } from './runtime/settings.ts'
import type { Database } from './store/database.ts'
import { agreeOnSecret } from './store/server-secrets.ts'

export type Secrets = { vapid: VapidKeys; signingKey: Buffer }

export async function loadSecrets(config: Config, db: Database): Promise<Secrets> {
  const load = (name: string, make: () => string) =>
    config.databaseUrl ? agreeOnSecret(db, name, make) : readOrMakeSecret(config.dataDir, name, make)
  return {
    vapid: JSON.parse(await load('vapid-keys.json', () => JSON.stringify(generateVapidKeys()))),
    signingKey: Buffer.from(await load('signing.key', () => randomBytes(32).toString('base64')), 'base64'),
  }
}
