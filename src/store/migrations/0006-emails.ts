// Who signs in with Apple, and e-mail: recipients that have agreed to it, and what was sent to them.
import { IDENTITY, sql } from '../engine/sql.ts'

export const statements = [
  // Checked at the commit: the row decides which of two first sign-ins makes the account, so it is written before the
  // account is.
  sql`create table apple_identities (
    subject text primary key,
    user_id text not null references users (id) on delete cascade deferrable initially deferred,
    created_at bigint not null
  )`,
  sql`create index apple_identities_by_user on apple_identities (user_id)`,
  sql`create table used_nonces (
    hash text primary key,
    expires_at bigint not null
  )`,
  sql`create index used_nonces_by_expiry on used_nonces (expires_at)`,
  // The key is the address in lower case, which is the same mailbox.
  sql`create table email_recipients (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    address text not null,
    address_key text not null,
    confirmation_hash text not null unique,
    confirmation_expires_at bigint not null,
    verified_at bigint,
    suppressed_at bigint,
    created_at bigint not null,
    unique (user_id, address_key)
  )`,
  // The bodies are kept until the mail is out, or given up.
  sql`create table emails (
    id ${IDENTITY},
    user_id text not null references users (id) on delete cascade,
    key_id text,
    recipient_id text not null,
    address text not null,
    subject text not null,
    text_body text,
    html_body text,
    message_id text not null,
    status text not null,
    error text,
    created_at bigint not null
  )`,
  sql`create index emails_by_user on emails (user_id, id)`,
  sql`create index emails_by_time on emails (created_at)`,
]
