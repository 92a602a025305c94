// A thread of test/runtime/threads.test.ts: answers with its task, or does what the task says.
import { serveTasks } from '../../src/runtime/threads/entry.ts'

serveTasks(({ task, answered }) => {
  if (task === 'exit') process.exit(1)
  while (task === 'hang');
  // Twice: the result is posted in between.
  if (answered) setImmediate(() => setImmediate(() => Atomics.notify(answered, 0, Atomics.add(answered, 0, 1) + 1)))
  return task
})
