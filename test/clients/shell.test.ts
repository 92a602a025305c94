// The shell function in dash. `npm run test:doors` has it in busybox.
import { spawnSync } from 'node:child_process'
import { test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { expectShellWorks } from './shell-steps.ts'

const app = useTestApp()
const exists = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
// `npm test` needs nothing but Node.js, and small containers have no curl.
const canRun = exists('dash', '-c', 'true') && exists('curl', '--version')

test.skipIf(!canRun)('sends, asks and shows an activity from dash', () => expectShellWorks(['dash'], app))
