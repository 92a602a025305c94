// Whether goals for times can be held against what a test measures: they are for a machine that nobody else uses.
import { availableParallelism, loadavg } from 'node:os'

// Read before the first test adds to it.
const [loadAtStart = 0] = loadavg()

export const isMachineFree = loadAtStart < availableParallelism()
