// R18: the disk of PostgreSQL fills while clients send. They get 503 until there is room, and nothing accepted is lost.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inject, onTestFinished, test } from 'vitest'
import { fillDisk, mountSmallDisk } from '../../support/database/small-disk.ts'
import { startOwnServer } from '../../support/postgres-faults/own-server.ts'
import { surviveFault } from '../../support/postgres-faults/survive-fault.ts'
import { measured } from '../../support/reliability/measured.ts'

test.skipIf(!inject('canMount'))('R18 a full disk: nothing is lost or doubled, and service resumes', async () => {
  const disk = mountSmallDisk('64m')
  const server = await startOwnServer(disk)
  onTestFinished(() => server.remove())
  const filler = join(disk, 'filler')
  const figures = await surviveFault(server, async () => {
    fillDisk(filler)
    await delay(4000)
    rmSync(filler)
    return server
  })
  measured('R18', 'postgres', `disk full for four seconds: ${figures}`)
})
