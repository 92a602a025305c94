// Short functions that create and read schedules of one server.
import { fromRfc3339 } from '../../src/domain/instant.ts'
import { sql } from '../../src/store/engine/sql.ts'
import type { TestApp, TestUser } from './app.ts'
import { setUsed } from './usage.ts'

type Token = { token: string }

export const REMINDER = { title: 'Backup', body: 'Change the tape' }
export const DAILY = { cron: '0 9 * * *', timezone: 'UTC' }

export function schedulesOf(app: TestApp) {
  return {
    later: (seconds: number) => new Date(app.clock.now() + seconds * 1000).toISOString(),
    async plan({ token }: Token, members: Record<string, unknown>): Promise<number> {
      const { status, text, body } = await app.post('/notifications/scheduled', { ...REMINDER, ...members }, token)
      if (status !== 201) throw new Error(text)
      return body.id
    },
    read: async ({ token }: Token, id: number) => (await app.get(`/notifications/scheduled/${id}`, token)).body,
    inbox: async ({ token }: Token) => (await app.get('/notifications', token)).body.items,
    used: async ({ token }: Token) => (await app.get('/auth/me', token)).body.notifications_used,
    // The jobs that will send schedules of this account.
    jobs: ({ userId }: TestUser) =>
      app.app.ctx.db.read.all<{ id: number }>(
        sql`select id from jobs where kind = 'send-schedule' and payload like ${`%${userId}%`}`,
      ),
    async at(time: string): Promise<void> {
      app.clock.set(fromRfc3339(time))
      await app.runDueJobs()
    },
    async pass(seconds: number): Promise<void> {
      app.advanceSeconds(seconds)
      await app.runDueJobs()
    },
    // Uses up the monthly quota of the free plan.
    useUp: (user: TestUser) => setUsed(app, user, 'notifications', 500),
  }
}
