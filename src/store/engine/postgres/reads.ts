// Reads outside of transactions. Those that every request makes are gathered over the requests that go on together
// (http/connections/turns.ts) and share one connection, and equal ones share one statement: these requests were sent before the
// turn began, so each may see what another of them reads. The ids that are reserved are one statement too.
import type { Sequence } from '../database.ts'
import { type Sql, sql } from '../sql.ts'
import { CONNECTION_MS, type Connections } from './connections.ts'
import { troubleOf } from './failures.ts'
import { type Answer, openPipeline, type Statement } from './pipeline.ts'
import type { Ask } from './writer.ts'

export type Reads = {
  alone: Ask
  together: Ask
  reserveId(sequence: Sequence): Promise<number>
}

type Shared = PromiseWithResolvers<Answer> & { askers: number; statementFor(askers: number): Statement }

export function createReads(
  { take, giveBack }: Pick<Connections, 'take' | 'giveBack'>,
  toStatement: (query: Sql) => Statement,
): Reads {
  let gathered = new Map<string, Shared>()

  function share(key: string, statementFor: Shared['statementFor']): Shared {
    const known = gathered.get(key)
    if (known) return known
    // After the microtasks, in which the requests go on.
    if (gathered.size === 0) process.nextTick(sendGathered)
    const read = { statementFor, askers: 0, ...Promise.withResolvers<Answer>() }
    gathered.set(key, read)
    return read
  }

  async function sendGathered() {
    const reads = [...gathered.values()]
    gathered = new Map()
    const statements = reads.map(({ statementFor, askers }) => statementFor(askers))
    try {
      const answers = await readAll(statements)
      for (const [index, { resolve }] of reads.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      // One that fails must not fail the others: a server that is read-only refuses to reserve ids. If the server cannot be
      // reached, all of them fail.
      const readAgain = reads.length > 1 && troubleOf(error) !== 'unreachable'
      for (const [index, { resolve, reject }] of reads.entries()) {
        if (readAgain) resolve(readOne(statements[index] as Statement))
        else reject(error)
      }
    }
  }

  async function readAll(statements: Statement[]): Promise<Answer[]> {
    const client = await take()
    const pipeline = openPipeline(client, CONNECTION_MS)
    let failure: unknown
    try {
      const answers = statements.map(pipeline.ask)
      const [all] = await Promise.all([Promise.all(answers), pipeline.commit()])
      return all
    } catch (error) {
      failure = error
      throw error
    } finally {
      giveBack(client, failure)
    }
  }

  const readOne = async (statement: Statement): Promise<Answer> => (await readAll([statement]))[0] as Answer

  return {
    alone: (query) => readOne(toStatement(query)),
    together(query) {
      const statement = toStatement(query)
      return share(`${statement.name} ${JSON.stringify(statement.values)}`, () => statement).promise
    },
    async reserveId(sequence) {
      const ids = share(sequence, (askers) =>
        toStatement(sql`select nextval(${sequence}) as id from generate_series(1, ${askers})`),
      )
      const index = ids.askers++
      const { rows } = await ids.promise
      return rows[index]?.id as number
    },
  }
}
