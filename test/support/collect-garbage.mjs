// Preloaded into a server under test: collects all garbage at SIGUSR2, so that its resident memory shows what it keeps, and
// prints a line when that is done.
import { Session } from 'node:inspector'

const session = new Session()
session.connect()
const tellDone = () => process.stdout.write('garbage collected\n')
process.on('SIGUSR2', () => session.post('HeapProfiler.collectGarbage', tellDone))
