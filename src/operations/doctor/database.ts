// The database: version, schema, clock, whether background work keeps up, and plans that the settings lack.
import { isPaidPlan, type Plans } from '../../domain/plans.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { listPlansInUse } from '../../store/accounts/accounts.ts'
import type { Reader } from '../../store/engine/database.ts'
import { isFromReleases, listApplied, MIGRATIONS } from '../../store/engine/migrate.ts'
import { readDatabaseVersion } from '../../store/engine/probes.ts'
import { listFirstRunAts } from '../../store/jobs.ts'
import { measureSkew } from '../check-clock.ts'
import { type Check, type Found, failure, ok, warning } from './finding.ts'

export const databaseChecks = (db: Reader, clock: Clock, plans: Plans): Check[] => [
  { name: 'database', look: async () => ok(`${await readDatabaseVersion(db)} answers`) },
  { name: 'schema', look: () => checkSchema(db) },
  { name: 'clock', look: () => checkDatabaseClock(db) },
  { name: 'background work', look: () => checkBackgroundWork(db, clock) },
  { name: 'plans', look: () => checkPlans(db, plans) },
]

async function checkSchema(db: Reader): Promise<Found> {
  const names = await listApplied(db)
  const [applied, known] = [names.length, MIGRATIONS.length]
  if (!isFromReleases(names)) {
    return failure(
      'made before 0.2.0 by a version that was not released',
      'use a new data folder or database, or the version that made this one',
    )
  }
  if (applied === known) return ok(`version ${applied}, as this program needs it`)
  if (applied > known) {
    return failure(`version ${applied}; this program knows ${known}`, 'install the newer version of Heliograph again')
  }
  return warning(
    `version ${applied}; this program needs ${known}`,
    'make a backup, then restart the server: its start brings the schema up to date',
  )
}

// Compares the clocks of the machines, even if a test moves that of the server.
async function checkDatabaseClock(db: Reader): Promise<Found> {
  const { severity, inWords } = await measureSkew(db, systemClock)
  if (severity === 'ok') return ok('agrees with the clock of the database')
  const fix = 'synchronize both machines (NTP): leases of jobs depend on their clocks'
  return severity === 'warning' ? warning(inWords, fix) : failure(inWords, fix)
}

const BEHIND_MS = 30_000

async function checkBackgroundWork(db: Reader, clock: Clock): Promise<Found> {
  const behindMs = Math.max(0, ...(await listFirstRunAts(db)).map(({ runAt }) => clock.now() - runAt))
  if (behindMs < BEHIND_MS) return ok('no job is overdue')
  return warning(
    `the oldest job is ${Math.round(behindMs / 1000)} s overdue`,
    'look whether "heliograph serve" or "heliograph work" runs; its log says which jobs fail',
  )
}

async function checkPlans(db: Reader, plans: Plans): Promise<Found> {
  const missing = (await listPlansInUse(db)).filter(({ plan }) => !plans.names.includes(plan))
  if (missing.length === 0) return ok(`accounts are on plans of this server: ${plans.names.join(', ')}`)
  const inWords = missing.map(({ plan, count }) => {
    return `${plan} (${count} of them, with the numbers of ${isPaidPlan(plan) ? 'paid' : 'free'})`
  })
  return warning(
    `accounts are on plans that HELIOGRAPH_PLANS does not name: ${inWords.join(', ')}`,
    'name them there again, or run "heliograph user set-plan NAME PLAN" and "heliograph org set-plan ORG PLAN"',
  )
}
