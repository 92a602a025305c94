// What the tests of one requirement found on one database.
import { REQUIREMENTS } from './requirements.mjs'
import { mainRunOf } from './results.mjs'

export const DATABASES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

export function outcomeOf(results, requirement, database) {
  const { only = database, elsewhere = '' } = REQUIREMENTS[requirement]
  const all = results.filter(
    (result) => result.requirements.includes(requirement) && runsOn(result, requirement, database),
  )
  const tests = all.filter(({ state }) => state !== 'skipped')
  const failed = tests.filter(({ state }) => state !== 'passed')
  if (failed.length > 0) return { verdict: 'fails', text: failed.map(({ name }) => name).join('; ') }
  if (tests.length === 0 && only !== database) return { verdict: 'no subject', text: '' }
  if (tests.length === 0) return { verdict: 'not tested', text: all.length > 0 ? 'skipped on this machine' : elsewhere }
  const mainRun = mainRunOf(results)
  const figures = tests.flatMap((test) => figuresOf(test, requirement, database, mainRun))
  const passed = amountOf(tests.length, 'test')
  const repeated = tests.filter(({ isFlaky }) => isFlaky).length
  const flaky = repeated > 0 ? [`${repeated} passed only when repeated`] : []
  return { verdict: 'holds', text: [...figures, ...inSum(faultsOf(tests, requirement)), passed, ...flaky].join('; ') }
}

// The faults of the database that tests of a requirement caused and measured.
export const faultsOf = (results, requirement) =>
  results
    .filter(({ state }) => state === 'passed')
    .flatMap(({ measured }) => measured.filter((figure) => figure.requirement === requirement && figure.fault))
    .map(({ fault }) => fault)

function inSum(faults) {
  if (faults.length === 0) return []
  const [accepted, lost, doubled] = ['accepted', 'lost', 'doubled'].map((what) =>
    faults.reduce((sum, fault) => sum + fault[what], 0).toLocaleString('en-US'),
  )
  const count = amountOf(faults.length, 'fault')
  return [`${count}, in the table below: ${accepted} sends accepted, ${lost} lost, ${doubled} doubled`]
}

const amountOf = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`

// Those that run on each database. Others need none, or any, so they count for both.
const OF_EACH = /^test\/(?:api|store|journeys)\//

function runsOn({ project, file, measured, name }, requirement, database) {
  const ofRequirement = measured.filter((figure) => figure.requirement === requirement)
  if (ofRequirement.length > 0) return ofRequirement.some((figure) => isAbout(figure, database))
  if (OF_EACH.test(file)) return project === database
  const named = Object.keys(DATABASES).filter((known) => new RegExp(`\\b${known}\\b`, 'i').test(name))
  return named.length === 0 || named.includes(database)
}

const isAbout = (figure, database) => figure.database === database || figure.database === 'either'

const figuresOf = ({ measured, run }, requirement, database, mainRun) =>
  measured
    .filter((figure) => figure.requirement === requirement && isAbout(figure, database) && !figure.fault)
    .map(({ figure }) => (run === undefined || run === mainRun ? figure : `${figure} (${run})`))
