// Which tables a statement reads and writes, for every form of statement that hides one: the read cache relies on it.
import { expect, test } from 'vitest'
import { loadSqlite } from '../../src/store/engine/sqlite/connection.ts'
import { findTables, SCHEMA_TABLE } from '../../src/store/engine/sqlite/statement-tables.ts'
import { isPostgres } from '../support/database/database.ts'

const SCHEMA = `
  create table users (id text primary key, plan text);
  create table devices (user_id text references users (id) on delete cascade, id text, primary key (user_id, id));
  create table tokens (user_id text, device_id text, token text unique,
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade);
  create index tokens_of_device on tokens (device_id);
  create table notes (id integer primary key, text text);
  create table log (note_id bigint);
  create trigger logged after insert on notes begin insert into log (note_id) values (new.id); end;
  create view long_notes as select id from notes where length(text) > 100`

function openSchema() {
  const { DatabaseSync } = loadSqlite()
  const connection = new DatabaseSync(':memory:')
  connection.exec('pragma foreign_keys = on')
  connection.exec(SCHEMA)
  return connection
}

test.skipIf(isPostgres()).each([
  ['one table', 'select id from notes where id = ?', ['notes']],
  ['an index that has all columns', 'select device_id from tokens where device_id = ?', ['tokens']],
  ['a join', 'select plan from users u join devices d on d.user_id = u.id where d.id = ?', ['devices', 'users']],
  ['a join with a comma', 'select plan from users u, devices d where d.user_id = u.id', ['devices', 'users']],
  ['a view', 'select id from long_notes', ['notes']],
  ['a subquery', 'select id, (select count(*) from log) from notes', ['log', 'notes']],
  ['a common table expression', 'with some as (select id from notes) select id from some', ['notes']],
  ['no table', 'select 1', []],
])('a read of %s', (_, text, read) => {
  const tables = findTables(openSchema(), text)
  expect([...tables.read].sort()).toEqual(read)
  expect(tables.written).toEqual([])
})

test.skipIf(isPostgres()).each([
  ['an insert', 'insert into log (note_id) values (?)', ['log']],
  ['an insert that fires a trigger', 'insert into notes (text) values (?)', ['log', 'notes']],
  ['an upsert', 'insert into users (id) values (?) on conflict (id) do update set plan = 1', ['users']],
  ['an update', 'update users set plan = ? where id = ?', ['users']],
  [
    'an update after a common table expression',
    'with a as (select 1 as n) update log set note_id = (select n from a)',
    ['log'],
  ],
  ['a delete that cascades twice', 'delete from users where id = ?', ['devices', 'tokens', 'users']],
  ['a delete without a condition', 'delete from log', ['log']],
])('%s', (_, text, written) => {
  expect([...findTables(openSchema(), text).written].sort()).toEqual(written)
})

test
  .skipIf(isPostgres())
  .each([
    'create table more (id text)',
    'create index notes_by_text on notes (text)',
    'alter table notes add column color text',
    'drop table log',
  ])('a change of the schema: %s', (text) => {
  expect(findTables(openSchema(), text).written).toContain(SCHEMA_TABLE)
})
