// A thread of test/runtime/task-threads.test.ts: answers with its task, or does what the task says.
import { parentPort } from 'node:worker_threads'

parentPort.on('message', ({ task, answered }) => {
  parentPort.postMessage('begun')
  if (task === 'exit') process.exit(1)
  while (task === 'hang');
  parentPort.postMessage({ result: task })
  if (answered) Atomics.notify(answered, 0, Atomics.add(answered, 0, 1) + 1)
})
