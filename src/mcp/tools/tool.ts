// A tool of the Model Context Protocol: what clients see of it, who may use it, and the operation that it calls.
import type { Static, TObject } from 'typebox'
import type { Access } from '../../contract/permissions.ts'
import { compileCheck, validationProblem } from '../../contract/validation.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireSlug } from '../../domain/permissions.ts'
import type { Context } from '../../operations/context.ts'
import { listedInput, listedOutput } from './listed-schemas.ts'

// One use of a tool.
export type Call = {
  // Aborted when the client disconnects or cancels the call.
  ended: AbortSignal
  reportProgress(progress: Progress): void
}

export type Progress = { seconds: number; ofSeconds: number; message: string }

// Hints of the protocol, from which clients decide whether to ask the person before a call.
export type Annotations = {
  readOnlyHint: boolean
  // Only of a tool that changes something: whether it removes or replaces what is there.
  destructiveHint?: boolean
  idempotentHint?: boolean
  // Whether the tool reaches beyond the account, such as to a person.
  openWorldHint: boolean
}

// What tools/list shows.
export type ToolDescription = {
  name: string
  title: string
  description: string
  inputSchema: object
  outputSchema: object
  annotations: Annotations
}

type LevelAccess = Extract<Access, object>

type Definition<Input extends TObject, Output extends TObject> = {
  name: string
  title: string
  description: string
  input: Input
  output: Output
  annotations: Annotations
  access: LevelAccess
  // The slug list of the key that the argument `slug` is checked against.
  slugs?: 'widgets' | 'activities'
  // The call is answered when a person acts, which may take an hour.
  waits?: true
  run(ctx: Context, caller: Caller, args: Static<Input>, call: Call): Promise<Static<Output>>
}

export type Tool = {
  description: ToolDescription
  access: LevelAccess
  waits: boolean
  // Throws a problem if the arguments do not have the described shape.
  run(ctx: Context, caller: Caller, args: unknown, call: Call): Promise<object>
}

export function defineTool<Input extends TObject, Output extends TObject>(definition: Definition<Input, Output>): Tool {
  const { name, title, description, input, output, annotations, access, slugs, waits = false } = definition
  const check = compileCheck(input, 'body')
  return {
    description: {
      name,
      title,
      description,
      inputSchema: listedInput(input),
      outputSchema: listedOutput(output, input),
      annotations,
    },
    access,
    waits,
    async run(ctx, caller, args, call) {
      const violations = check(args)
      if (violations.length > 0) throw validationProblem(violations)
      if (slugs) requireSlug(caller, slugs, (args as { slug: string }).slug)
      return definition.run(ctx, caller, args as Static<Input>, call)
    },
  }
}

export const READS: Annotations = { readOnlyHint: true, openWorldHint: false }
