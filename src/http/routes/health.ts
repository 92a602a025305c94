// Liveness and readiness.
import { Type } from 'typebox'
import { Problem } from '../../contract/problems.ts'
import type { HttpServer } from '../fastify-types.ts'

// `whyNotReady` returns undefined if the server is ready.
export type Health = { whyNotReady(): Promise<string | undefined> }

const Status = Type.Object({ status: Type.String() })

export function healthRoutes(app: HttpServer, health: Health): void {
  app.get(
    '/health',
    {
      schema: { tags: ['System'], summary: 'Is the process serving?', response: { 200: Status } },
      config: { access: 'public' },
    },
    async () => ({ status: 'ok' }),
  )

  app.get(
    '/ready',
    {
      schema: {
        tags: ['System'],
        summary: 'Are the database and the background work keeping up?',
        response: { 200: Status },
      },
      config: { access: 'public' },
    },
    async () => {
      const reason = await health.whyNotReady()
      if (reason) throw new Problem('service.unavailable', reason)
      return { status: 'ready' }
    },
  )
}
