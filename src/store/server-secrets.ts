// Secrets that all nodes on one PostgreSQL share. Whoever starts first brings them.
import type { Database } from './database.ts'
import { sql } from './sql.ts'

export async function agreeOnSecret(db: Database, name: string, proposal: () => string): Promise<string> {
  const known = await db.read.first<{ value: string }>(sql`select value from server_secrets where name = ${name}`)
  if (known) return known.value
  return db.transact(async (tx) => {
    await tx.run(
      sql`insert into server_secrets (name, value) values (${name}, ${proposal()}) on conflict (name) do nothing`,
    )
    const agreed = await tx.first<{ value: string }>(sql`select value from server_secrets where name = ${name}`)
    if (!agreed) throw new Error(`the secret ${name} was not stored`)
    return agreed.value
  })
}
