// One connection with one transaction that may take as long as a backup or a restore does.
import pg from 'pg'
import { connectionOptions } from './connection.ts'
import { checkServer, unreachable } from './server-check.ts'

// For the deadlines of pg, whose 0 would mean those of the connection.
export const NO_DEADLINE_MS = 24 * 3600 * 1000

export async function beginLongTransaction(url: string, mode: string): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions(url), query_timeout: undefined })
  // A lost connection fails the statement under way. Without a listener, the event would end the process.
  client.on('error', () => {})
  await client.connect().catch((error: Error) => {
    throw unreachable(url, error)
  })
  try {
    await checkServer(client, url)
    await client.query(`begin ${mode}`)
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
  } catch (error) {
    await client.end()
    throw error
  }
  return client
}
