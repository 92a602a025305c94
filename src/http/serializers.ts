// How response bodies are written: by a function compiled from the schema of the response.

import { default as compile } from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

type Write = (value: unknown) => string

// By schema, so that servers in one process share them.
const compiled = new WeakMap<object, Write>()

// Compiles with the first response: to compile all of them is a third of the time in which the server starts.
export function compileSerializersLazily(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    let write: Write | undefined
    return (value) => {
      write ??= writerOf(schema as object)
      return write(value)
    }
  })
}

function writerOf(schema: object): Write {
  const write = compiled.get(schema) ?? compile(schema)
  compiled.set(schema, write)
  return write
}

// The serializer tells the members of a union apart by validating the response against each of them, which takes longer
// than all other work of such a request.
export function serializeUnionsAsTheyAre(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const responses = Object.values(route.schema?.response ?? {})
    if (responses.some((schema) => 'anyOf' in schema)) route.serializerCompiler = () => JSON.stringify
  })
}
