// The built server as a process, for the tests of MCP that use real processes.

import { emptyFolder, type RunningProcess, runHeliograph, startHeliograph } from '../heliograph-process.ts'
import type { Person } from './tour.ts'

export type McpServer = RunningProcess & { addPerson(): Promise<Person> }

export async function startMcpServer(): Promise<McpServer> {
  const environment = {
    HELIOGRAPH_DATA_DIR: emptyFolder(),
    HELIOGRAPH_PORT: '0',
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
  }
  const server = await startHeliograph(['serve'], { environment })
  let people = 0
  return {
    ...server,
    async addPerson() {
      const args = ['user', 'add', `person-${++people}`, '--plan', 'paid', '--json']
      const { user_id: userId, token } = JSON.parse((await runHeliograph(args, { environment })).stdout)
      return { userId, token }
    },
  }
}
