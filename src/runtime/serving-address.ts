// The address at which the server of a data folder was last started, for commands that print links to it: they are often run
// without the settings of the server.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, publicUrlOf, SETTINGS } from './settings.ts'

const fileIn = (folder: string) => join(folder, 'address')

// Several nodes on PostgreSQL have no address in common; their operator sets the public URL.
export function storeServingAddress({ databaseUrl, dataDir }: Config, url: string): void {
  if (databaseUrl) return
  try {
    writeFileSync(fileIn(dataDir), `${url}\n`, { mode: 0o600 })
  } catch {
    // A full disk must not stop the server from starting; the commands then go by their own settings.
  }
}

// Settings of the command itself come first.
export function servingAddress(config: Config): string {
  const { publicUrl, host, port, databaseUrl, dataDir } = config
  const isSet = publicUrl !== undefined || host !== SETTINGS.host.fallback || port !== SETTINGS.port.fallback
  if (isSet || databaseUrl) return publicUrlOf(config)
  try {
    return readFileSync(fileIn(dataDir), 'utf8').trim()
  } catch {
    return publicUrlOf(config)
  }
}
