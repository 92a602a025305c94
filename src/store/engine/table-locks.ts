// Locks every table before the first migration changes one.
//
// Nodes of the version before serve requests during a rolling upgrade. If a migration locked tables one by one as it
// reaches them, a request that holds a lock on a later table and waits for an earlier one would deadlock with it, and
// PostgreSQL might end the request. A request waits for `deadlock_timeout` before PostgreSQL looks for a deadlock. So the
// migration takes all its locks first, gives them up after half of that time, and tries again after a pause in which
// requests run. Once it has them it waits for no other lock.
import { errorCode, StartError } from '../../domain/errors.ts'
import type { Writer } from './database.ts'
import { fragment, sql } from './sql.ts'

const LOCK_NOT_AVAILABLE = '55P03'

// Leaving the inner block by an exception rolls it back, which releases the locks taken in it.
const LOCK_ALL = fragment({
  sqlite: 'select 1',
  postgres: `do $$
      declare
        started_at timestamptz := clock_timestamp();
        patience interval := current_setting('deadlock_timeout')::interval / 2;
        give_up_at timestamptz;
        table_name text;
      begin
        loop
          begin
            give_up_at := clock_timestamp() + patience;
            for table_name in select relname from pg_class
              where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v') order by relname
            loop
              perform set_config('lock_timeout',
                greatest(1, ceil(extract(epoch from give_up_at - clock_timestamp()) * 1000))::text, true);
              execute format('lock table %I in access exclusive mode', table_name);
            end loop;
            perform set_config('lock_timeout', '0', true);
            return;
          exception when lock_not_available then
            if clock_timestamp() > started_at + interval '1 minute' then raise; end if;
            perform pg_sleep(0.1 + random() * 0.4);
          end;
        end loop;
      end $$`,
})

export async function lockTables(tx: Writer): Promise<void> {
  await tx.execute(sql`${LOCK_ALL}`).catch((error) => {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new StartError(
      'the tables cannot be changed: another transaction, such as that of a backup, has used them for a minute; start again when it has ended',
    )
  })
}
