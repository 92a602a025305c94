// Records the text of every statement that the tests' processes send to PostgreSQL, for test/statements: a file for each
// process, a line for each text. A setup file of the project `postgres`.
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const FOLDER = join(tmpdir(), 'statements')

// `parse` sends a prepared statement, `query` one without parameters.
type Connection = { parse(statement: { text: string }): void; query(text: string): void }
type Recording = Connection & { recorded?: Set<string> }

export function recordStatements(): void {
  const connection = (pg as unknown as { Connection: { prototype: Recording } }).Connection.prototype
  // The files of a worker share the connections' prototype.
  if (connection.recorded) return
  connection.recorded = new Set()
  mkdirSync(FOLDER, { recursive: true })
  const { parse, query, recorded } = connection
  const record = (text: string) => {
    if (recorded.has(text)) return
    recorded.add(text)
    appendFileSync(join(FOLDER, String(process.pid)), `${JSON.stringify(text)}\n`)
  }
  connection.parse = function (statement) {
    record(statement.text)
    parse.call(this, statement)
  }
  connection.query = function (text) {
    record(text)
    query.call(this, text)
  }
}

// Of all processes of this run; empty if it has no tests on PostgreSQL.
export function recordedStatements(): string[] {
  const files = readdirSync(tmpdir()).includes('statements') ? readdirSync(FOLDER) : []
  const lines = files.flatMap((file) => readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n'))
  return [...new Set(lines)].map((line) => JSON.parse(line))
}
