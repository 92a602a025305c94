// The build of this checkout with one migration more, as the next release has it: it changes a table that every request reads.
const dist = new URL('../../../dist/', import.meta.url)
const { MIGRATIONS } = await import(new URL('store/engine/migrate.js', dist))
const { sql } = await import(new URL('store/engine/sql.js', dist))

MIGRATIONS.push({
  name: '9999-next',
  statements: [
    sql`alter table users add column shoe_size bigint not null default 40`,
    sql`alter table notifications add column shoe_size bigint`,
    sql`create table shoes (id text primary key, user_id text not null references users (id) on delete cascade)`,
  ],
})
await import(new URL('main.js', dist))
