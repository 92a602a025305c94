// Reads outside of transactions. Those that every request makes wait for the end of the event-loop turn and share one
// connection, and equal ones share one statement: a request that is handled in a turn was sent before the turn began, so it
// may see what another request of the same turn reads.
import type { Sql } from '../sql.ts'
import { CONNECTION_MS } from './connection.ts'
import type { Connections } from './connections.ts'
import { isUnavailable, mapFailure } from './failures.ts'
import { type Answer, openPipeline, type Statement } from './pipeline.ts'
import type { Ask } from './writer.ts'

export type Reads = { alone: Ask; together: Ask }

type Shared = PromiseWithResolvers<Answer> & { statement: Statement }

export function createReads(
  { take, giveBack }: Pick<Connections, 'take' | 'giveBack'>,
  toStatement: (query: Sql) => Statement,
): Reads {
  let gathered = new Map<string, Shared>()

  async function sendGathered() {
    const reads = [...gathered.values()]
    gathered = new Map()
    try {
      const answers = await readAll(reads.map(({ statement }) => statement))
      for (const [index, { resolve }] of reads.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      // One that fails must not fail the others. If the server cannot be reached, all of them fail.
      const readAgain = reads.length > 1 && !isUnavailable(mapFailure(error))
      for (const { statement, resolve, reject } of reads) readAgain ? resolve(readOne(statement)) : reject(error)
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
      const key = `${statement.name} ${JSON.stringify(statement.values)}`
      const known = gathered.get(key)
      if (known) return known.promise
      if (gathered.size === 0) setImmediate(sendGathered)
      const read = { statement, ...Promise.withResolvers<Answer>() }
      gathered.set(key, read)
      return read.promise
    },
  }
}
