// heliograph escalation create | list | show | rm
import { Command, Option } from 'commander'
import type { EscalationInput, EscalationStepInput, EscalationView } from '../../../contract/escalations.ts'
import { columns, commandGroup, print, printableLine } from '../../output.ts'
import { apiFor } from '../api.ts'
import { readSteps, STEP_HELP, step, stepInWords } from '../arguments/escalation-steps.ts'
import { asClient, repeatable } from '../arguments/options.ts'
import { listCommand, showing } from '../common-commands.ts'

export const escalationCommand = (): Command =>
  commandGroup(
    'escalation',
    'wake someone else when nobody acknowledges an alert',
    'heliograph escalation create night --step "after=5m level=critical"',
    [createCommand(), listPolicies(), showCommand(), removeCommand()],
  )

const pathOf = (slug: string) => `/escalations/${encodeURIComponent(slug)}`

type CreateOptions = { name?: string; step?: EscalationStepInput[]; steps?: string; dryRun?: boolean; json?: boolean }

function createCommand(): Command {
  const command = new Command('create')
    .description('create an escalation policy, or change the one with this slug')
    .argument('<slug>')
    .option('--name <text>', 'name in e-mails and in the console (default: the slug)')
    .addOption(repeatable('--step <step>', 'a step, in the order of their times; repeatable', step))
    .addOption(
      new Option('--steps <json>', 'the steps as a JSON array; "-" reads it from standard input').conflicts('step'),
    )
    .option('--dry-run', 'check it, and store nothing')
    .addHelpText('after', `\n${STEP_HELP}`)
  asClient(command, 'heliograph escalation create night --step "after=5m level=critical"')
  return command.action(async (slug: string, options: CreateOptions) => {
    const steps = options.steps === undefined ? options.step : await readSteps(command, options.steps)
    if (!steps) return command.error('error: give at least one --step, or --steps')
    const input: EscalationInput = { slug, name: options.name ?? slug, steps }
    const query = options.dryRun ? '?dry_run=true' : ''
    const { status, body } = await apiFor(command)<EscalationView>('POST', `/escalations${query}`, input)
    const done = status === 201 ? 'created' : 'changed'
    print(options.json, body, options.dryRun ? `${slug} is valid` : `${done} ${slug}\n${stepLines(body)}`)
  })
}

const listPolicies = (): Command =>
  listCommand<EscalationView>('escalation', 'list the escalation policies', {
    path: '/escalations',
    head: ['SLUG', 'STEPS', 'NAME'],
    row: ({ slug, steps, name }) => [slug, String(steps.length), printableLine(name)],
    none: 'no policies yet',
  })

const showCommand = (): Command => {
  const command = new Command('show').description('show the steps of an escalation policy').argument('<slug>')
  const inWords = (policy: EscalationView) => `${printableLine(policy.name)}\n${stepLines(policy)}`
  return showing(command, 'heliograph escalation show night', pathOf, inWords)
}

const stepLines = ({ steps }: EscalationView): string => columns(steps.map(stepInWords))

function removeCommand(): Command {
  const command = new Command('rm')
    .description('delete an escalation policy; alerts that were sent before keep their steps')
    .argument('<slug>')
    .option('--force', 'even if heartbeats, hooks or schedules name it; they alert without steps then')
  return asClient(command, 'heliograph escalation rm night').action(
    async (slug: string, options: { force?: boolean; json?: boolean }) => {
      const query = options.force ? '?force=true' : ''
      await apiFor(command)('DELETE', `${pathOf(slug)}${query}`)
      print(options.json, { slug, deleted: true }, `deleted ${slug}`)
    },
  )
}
