// Preloaded into a server under test: collects all garbage at SIGUSR2, so that its resident memory shows what it keeps.
import { Session } from 'node:inspector'

const session = new Session()
session.connect()
process.on('SIGUSR2', () => session.post('HeapProfiler.collectGarbage'))
