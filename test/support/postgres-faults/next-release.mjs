// The sources of this checkout with one migration more, as the next release has it: it changes a table that every request reads.
import { MIGRATIONS } from '../../../src/store/engine/migrate.ts'
import { sql } from '../../../src/store/engine/sql.ts'

MIGRATIONS.push({
  name: '9999-next',
  statements: [
    sql`alter table users add column shoe_size bigint not null default 40`,
    sql`alter table notifications add column shoe_size bigint`,
    sql`create table shoes (id text primary key, user_id text not null references users (id) on delete cascade)`,
  ],
})
await import('../../../src/main.ts')
