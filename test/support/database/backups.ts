// Backs up and restores the database of a test, as the commands do.

import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { restoreFrom, writeBackup } from '../../../src/boot/backups.ts'
import { loadConfig } from '../../../src/runtime/config.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

const configOf = ({ environment }: TestDatabase) => loadConfig({}, environment, 'no-such-file.json')

export async function backUp(database: TestDatabase): Promise<Buffer> {
  const sink = new PassThrough()
  const [backup] = await Promise.all([buffer(sink), writeBackup(configOf(database), sink)])
  return backup
}

export async function restoreInto(database: TestDatabase, backup: Buffer): Promise<void> {
  await restoreFrom(configOf(database), chunksOf(backup))
}

// Small chunks, so that lines and characters are cut at every place.
async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000)
}

export async function newDatabase(kind?: 'sqlite' | 'postgres'): Promise<TestDatabase> {
  const database = await createTestDatabase(kind, 'empty')
  onTestFinished(() => database.drop())
  return database
}

// Its lines but the first and the last, which hold the time of the backup and the checksum of all lines.
export const contentOf = (backup: Buffer): string[] => gunzipSync(backup).toString().trimEnd().split('\n').slice(1, -1)
