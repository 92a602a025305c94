// heliograph user add | list | set-plan | set-operator | delete
import { Argument, type Command } from 'commander'
import { toRfc3339 } from '../domain/instant.ts'
import { allUsers, requireUserByName, setOperator, setPlan } from '../operations/accounts/accounts.ts'
import { removeUser } from '../operations/accounts/remove.ts'
import { administration, confirmByName, type OpenContext, onDatabase, withYes } from './administration.ts'
import { columns, commandGroup, print } from './output.ts'
import { requirePlan } from './settings-options.ts'
import { userAddCommand } from './user-add.ts'

export const userCommand = (open: OpenContext): Command =>
  commandGroup(
    'user',
    'manage the accounts of this server, also while it runs',
    'heliograph user add ada --plan paid',
    [userAddCommand, listCommand, setPlanCommand, setOperatorCommand, deleteCommand].map((make) => make(open)),
  )

function listCommand(open: OpenContext): Command {
  const command = onDatabase('user list', 'list the accounts', '--json')
  return administration(open, command, async (ctx, options: { json?: boolean }) => {
    const users = (await allUsers(ctx)).map((user) => ({
      user_id: user.id,
      name: user.name,
      plan: user.plan,
      operator: user.isOperator,
      created_at: toRfc3339(user.createdAt),
    }))
    const lines = users.map((user) => [
      user.name,
      user.plan,
      user.user_id,
      `since ${user.created_at}`,
      user.operator ? 'operator' : '',
    ])
    print(options.json, { items: users }, columns(lines) || 'no accounts yet')
  })
}

function setPlanCommand(open: OpenContext): Command {
  const command = onDatabase('user set-plan', 'change the plan of an account', 'ada paid')
    .argument('<name>')
    .argument('<plan>', 'free, paid, or one of HELIOGRAPH_PLANS')
  return administration(open, command, async (ctx, name: string, plan: string, options: { json?: boolean }) => {
    requirePlan(command, plan)
    const user = await setPlan(ctx, name, plan)
    print(options.json, { user_id: user.id, name: user.name, plan }, `${name} is on the ${plan} plan now`)
  })
}

function setOperatorCommand(open: OpenContext): Command {
  const command = onDatabase('user set-operator', 'let an account see the state of the server', 'ada on')
    .argument('<name>')
    .addArgument(new Argument('<state>').choices(['on', 'off']))
  return administration(open, command, async (ctx, name: string, onOff: string, options: { json?: boolean }) => {
    const { id, isOperator } = await setOperator(ctx, name, onOff === 'on')
    const text = isOperator ? `${name} is an operator now` : `${name} is not an operator any more`
    print(options.json, { user_id: id, name, operator: isOperator }, text)
  })
}

function deleteCommand(open: OpenContext): Command {
  const command = withYes(onDatabase('user delete', 'delete an account with everything in it', 'ada --yes')).argument(
    '<name>',
  )
  return administration(open, command, async (ctx, name: string, options: { yes?: boolean; json?: boolean }) => {
    await requireUserByName(ctx, name)
    if (!options.yes) await confirmByName(command, `This deletes ${name} with everything in the account.`, name)
    const user = await removeUser(ctx, name)
    print(options.json, { user_id: user.id, name: user.name, deleted: true }, `deleted ${name}`)
  })
}
