// R11, R18: the disk of PostgreSQL fills while clients send. They get 503 until there is room, and nothing accepted is lost.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inject, onTestFinished, test } from 'vitest'
import { fillDisk, mountSmallDisk } from '../../support/database/small-disk.ts'
import { startOwnServer } from '../../support/postgres-faults/own-server.ts'
import { surviveFault } from '../../support/postgres-faults/survive-fault.ts'
import { counted, measured, measuredFault } from '../../support/reliability/measured.ts'

test.skipIf(!inject('canMount'))('R11 R18 a full disk: nothing is lost or doubled, and service resumes', async () => {
  const disk = mountSmallDisk('64m')
  const server = await startOwnServer(disk)
  onTestFinished(() => server.remove())
  const filler = join(disk, 'filler')
  const fault = await surviveFault('a disk that is full for four seconds', server, async () => {
    fillDisk(filler)
    await delay(4000)
    rmSync(filler)
    return server
  })
  measuredFault('R18', 'postgres', fault)
  const { accepted, refused, recoveryMs } = fault
  const sends = `${counted(accepted)} sends accepted, 0 lost, ${counted(refused)} refused with 503`
  const recovery = `writes work again without a restart after ${(recoveryMs / 1000).toFixed(1)} s`
  measured('R11', 'postgres', `a full disk: ${sends}; ${recovery}`)
})
