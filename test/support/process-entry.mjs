// A process for the tests of its host: does what the task says.
import { readFileSync } from 'node:fs'

const doing = {
  echo: (value) => value,
  read(file) {
    try {
      return readFileSync(file, 'utf8').length > 0
    } catch (error) {
      return error.code
    }
  },
  environment: () => Object.keys(process.env),
  exit: () => process.exit(3),
  compute() {
    for (;;);
  },
  sleep: () => new Promise(() => {}),
}

process.on('message', async ({ task }) => {
  const result = await doing[task.name](task.value)
  process.send({ result, residentBytes: task.residentBytes ?? 0 })
})
process.on('disconnect', () => process.exit())
process.send({ isReady: true })
