// heliograph doctor
import { Command } from 'commander'
import colors from 'picocolors'
import { StartError } from '../domain/errors.ts'
import { type Finding, hasFailure, type Status } from '../operations/doctor/finding.ts'
import { type Config, SETTING_NAMES } from '../runtime/settings.ts'
import { print, withExample } from './output.ts'
import { configFrom, SHOWN_SETTINGS, withSettings } from './settings-options.ts'

export type Diagnose = (config: Config) => Promise<Finding[]>

export function doctorCommand(diagnose: Diagnose): Command {
  const command = new Command('doctor')
    .description('check the configuration and everything the server needs')
    .option('--json', 'print one JSON object')
  withExample(withSettings(command, SETTING_NAMES, SHOWN_SETTINGS), 'heliograph doctor --data-dir /var/lib/heliograph')
  return command.action(async ({ json }: { json?: boolean }) => {
    const findings = await examine(diagnose, command)
    print(json, { items: findings }, inLines(findings))
    if (hasFailure(findings)) process.exitCode = 1
  })
}

// Without a valid configuration nothing else can be checked.
async function examine(diagnose: Diagnose, command: Command): Promise<Finding[]> {
  let config: Config
  try {
    config = configFrom(command)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const fix = 'correct this first, then check again'
    return [{ check: 'configuration', status: 'failure', found: error.message, fix }]
  }
  return diagnose(config)
}

const LABELS: Record<Status, string> = {
  ok: colors.green('ok     '),
  warning: colors.yellow('warning'),
  failure: colors.red('FAILURE'),
}

function inLines(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat(LABELS_WIDTH + width + 4)
  const lines = findings.map(({ check, status, found, fix }) => {
    const line = `${LABELS[status]}  ${check.padEnd(width)}  ${found}`
    return fix ? `${line}\n${indent}${colors.bold('fix:')} ${fix}` : line
  })
  return [...lines, '', summaryOf(findings)].join('\n')
}

const LABELS_WIDTH = 'FAILURE'.length

function summaryOf(findings: Finding[]): string {
  const count = (status: Status) => findings.filter((finding) => finding.status === status).length
  const [failures, warnings] = [count('failure'), count('warning')]
  if (failures === 0 && warnings === 0) return 'Everything is in order.'
  return `${amount(failures, 'failure')}, ${amount(warnings, 'warning')}.`
}

const amount = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
