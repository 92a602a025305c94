// Secrets that all nodes on one PostgreSQL share. The first node to start stores them.
import type { Database, Reader, Writer } from './engine/database.ts'
import { sql } from './engine/sql.ts'

export async function findSecret(db: Reader, name: string): Promise<string | undefined> {
  const row = await db.first<{ value: string }>(sql`select value from server_secrets where name = ${name}`)
  return row?.value
}

// Stores the secret unless another node has stored one, and returns the stored one.
export async function agreeOnSecret(db: Database, name: string, proposal: string): Promise<string> {
  return db.transact(async (tx) => {
    await insertSecretUnlessTaken(tx, name, proposal)
    const agreed = await findSecret(tx, name)
    if (agreed === undefined) throw new Error(`the secret ${name} was not stored`)
    return agreed
  })
}

export async function insertSecretUnlessTaken(tx: Writer, name: string, secret: string): Promise<void> {
  await tx.execute(
    sql`insert into server_secrets (name, value) values (${name}, ${secret}) on conflict (name) do nothing`,
  )
}
