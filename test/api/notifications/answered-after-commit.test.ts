// A send is stored, and the connection to PostgreSQL is lost before its response is: the client is told that it was sent. An
// error would make it send again.
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../support/app.ts'
import { createTestDatabase, isPostgres } from '../../support/database/database.ts'
import { openFaultyLink } from '../../support/fakes/faulty-link.ts'

const MESSAGE = { title: 'Disk full', body: 'now', push: false }

test.skipIf(!isPostgres())(
  '201 if the connection is lost after the commit, and the notification is there once',
  async () => {
    const database = await createTestDatabase()
    const url = new URL(database.environment.HELIOGRAPH_DATABASE_URL as string)
    const link = await openFaultyLink(Number(url.port))
    url.port = String(link.port)
    const environment = { ...database.environment, HELIOGRAPH_DATABASE_URL: url.href }
    const app = await startTestApp({}, { ...database, environment })
    onTestFinished(async () => {
      await app.stop()
      await database.drop()
    })
    const { token } = await app.addUser()
    // Only the response has this member.
    link.cutAt('"delivery"', 'before the server gets it')
    const headers = { 'idempotency-key': 'disk-1' }
    const sent = await app.call('POST', '/notifications', { token, body: MESSAGE, headers })
    expect(sent.status).toBe(201)
    const { items } = (await app.get('/notifications', token)).body
    expect(items).toMatchObject([{ id: sent.body.id, title: MESSAGE.title }])
  },
)
