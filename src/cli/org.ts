// heliograph org create | list | members | add-member | remove-member | set-plan | delete | key
// ORG is an id, or a name if only one organization has it.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { ORG_ROLES, type OrgRole } from '../contract/organizations/organization.ts'
import { LEVELS, type Permissions, type Resource } from '../contract/permissions.ts'
import { toRfc3339 } from '../domain/instant.ts'
import { deleteOrganization } from '../operations/accounts/close-organization.ts'
import type { Context } from '../operations/context.ts'
import {
  allOrganizationsOfServer,
  createOrganizationKey,
  createOrganizationOf,
  dropMember,
  membersOf,
  putMember,
  requireOrganization,
  requirePerson,
  setOrganizationPlan,
} from '../operations/organizations/operate.ts'
import { administration, confirmByName, type OpenContext, onDatabase, withYes } from './administration.ts'
import { columns, commandGroup, print, printable } from './output.ts'
import { requirePlan } from './settings-options.ts'

type Asked = { json?: boolean }

export const orgCommand = (open: OpenContext): Command =>
  commandGroup(
    'org',
    'manage the organizations of this server, also while it runs',
    'heliograph org create Platform --owner ada',
    [create, list, members, addMember, removeMember, setPlan, remove, key].map((make) => make(open)),
  )

function create(open: OpenContext): Command {
  const command = onDatabase('org create', 'create an organization', 'Platform --owner ada')
    .argument('<name>')
    .requiredOption('--owner <user>', 'name or id of its first owner')
    .option('--plan <plan>', 'quotas of the organization: free, paid, or one of HELIOGRAPH_PLANS', 'paid')
  return administration(open, command, async (ctx, name: string, options: Asked & { owner: string; plan: string }) => {
    requirePlan(command, options.plan)
    const org = await createOrganizationOf(ctx, await requirePerson(ctx, options.owner), { name, plan: options.plan })
    const text = `created ${printable(org.name)} (${org.plan}) ${org.id}`
    print(options.json, { org_id: org.id, name: org.name, plan: org.plan }, text)
  })
}

function list(open: OpenContext): Command {
  const command = onDatabase('org list', 'list the organizations', '--json')
  return administration(open, command, async (ctx, options: Asked) => {
    const items = (await allOrganizationsOfServer(ctx)).map(({ id, name, plan, createdAt }) => ({
      org_id: id,
      name,
      plan,
      created_at: toRfc3339(createdAt),
    }))
    const rows = items.map((org) => [printable(org.name), org.plan, org.org_id, `since ${org.created_at}`])
    print(options.json, { items }, columns(rows) || 'no organizations yet')
  })
}

function members(open: OpenContext): Command {
  const command = onDatabase('org members', 'list the members of an organization', 'Platform').argument('<org>')
  return administration(open, command, async (ctx, org: string, options: Asked) => {
    const items = (await membersOf(ctx, await requireOrganization(ctx, org))).map((member) => ({
      user_id: member.userId,
      name: member.name,
      role: member.role,
      joined_at: toRfc3339(member.joinedAt),
    }))
    const rows = items.map((member) => [member.name, member.role, member.user_id, `since ${member.joined_at}`])
    print(options.json, { items }, columns(rows))
  })
}

function addMember(open: OpenContext): Command {
  const command = onDatabase(
    'org add-member',
    'add a person to an organization, or set the role of a member',
    'Platform bert --role admin',
  )
    .argument('<org>')
    .argument('<user>', 'name or id')
    .addOption(new Option('--role <role>', 'role of the member').choices(ORG_ROLES).default('member'))
    .addOption(listOption('--group <name>', 'group to add the member to; may be given several times'))
  return administration(
    open,
    command,
    async (ctx, org: string, user: string, options: Asked & { role: OrgRole; group: string[] }) => {
      const found = await findBoth(ctx, org, user)
      const { role, group: groups } = options
      await putMember(ctx, found.org, found.user, { role, groups })
      const text = `${found.user.name} is ${role} of ${printable(found.org.name)}`
      print(options.json, { org_id: found.org.id, user_id: found.user.id, role }, text)
    },
  )
}

function removeMember(open: OpenContext): Command {
  const command = onDatabase('org remove-member', 'remove a person from an organization', 'Platform bert')
    .argument('<org>')
    .argument('<user>', 'name or id')
  return administration(open, command, async (ctx, org: string, user: string, options: Asked) => {
    const found = await findBoth(ctx, org, user)
    await dropMember(ctx, found.org, found.user)
    const text = `${found.user.name} is no longer in ${printable(found.org.name)}`
    print(options.json, { org_id: found.org.id, user_id: found.user.id, removed: true }, text)
  })
}

const findBoth = async (ctx: Context, org: string, user: string) => ({
  org: await requireOrganization(ctx, org),
  user: await requirePerson(ctx, user),
})

function setPlan(open: OpenContext): Command {
  const command = onDatabase('org set-plan', 'change the plan of an organization', 'Platform paid')
    .argument('<org>')
    .argument('<plan>', 'free, paid, or one of HELIOGRAPH_PLANS')
  return administration(open, command, async (ctx, org: string, plan: string, options: Asked) => {
    const { id, name } = await requireOrganization(ctx, org)
    requirePlan(command, plan)
    await setOrganizationPlan(ctx, { id }, plan)
    print(options.json, { org_id: id, name, plan }, `${printable(name)} is on the ${plan} plan now`)
  })
}

function remove(open: OpenContext): Command {
  const description = 'delete an organization with everything in it'
  const command = withYes(onDatabase('org delete', description, 'Platform --yes')).argument('<org>')
  return administration(open, command, async (ctx, org: string, options: Asked & { yes?: boolean }) => {
    const { id, name } = await requireOrganization(ctx, org)
    if (!options.yes) {
      await confirmByName(command, `This deletes ${printable(name)} with everything in the organization.`, name)
    }
    await deleteOrganization(ctx, { id })
    print(options.json, { org_id: id, name, deleted: true }, `deleted ${printable(name)}`)
  })
}

type KeyOptions = Asked & {
  permissions: ReturnType<typeof permissionsOption.parse>
  groups: string[]
  tags: string[]
  members: string[]
}

function key(open: OpenContext): Command {
  const command = onDatabase(
    'org key',
    'create a key of an organization; prints it, once',
    'Platform monitoring --groups on-call',
  )
    .argument('<org>')
    .argument('<name>', 'name of the key')
    .addOption(permissionsOption.option())
    .addOption(listOption('--groups <names>', 'limit the key to these groups'))
    .addOption(listOption('--tags <names>', 'limit the key to devices with these tags'))
    .addOption(listOption('--members <users>', 'limit the key to these members, by name or id'))
  return administration(open, command, async (ctx, org: string, name: string, { json, ...terms }: KeyOptions) => {
    const made = await createOrganizationKey(ctx, await requireOrganization(ctx, org), { ...terms, name })
    print(json, { id: made.key.id, key: made.secret }, `${made.secret}\nIt is shown only now.`)
  })
}

// Comma-separated; given several times, the lists are joined. Names of groups and tags have no commas.
function listOption(flags: string, description: string): Option {
  const add = (text: string, before: string[]) => [...before, ...text.split(',').map((name) => name.trim())]
  return new Option(flags, description).argParser<string[]>(add).default([], 'none')
}

const RESOURCES = ['activities', 'notifications'] as const

const permissionsOption = {
  option: () =>
    new Option('--permissions <levels>', 'such as notifications:schedule,activities:manage')
      .argParser(permissionsOption.parse)
      .default({ notifications: 'send' }, 'notifications:send'),

  parse(text: string): Partial<Permissions> {
    return Object.fromEntries(text.split(',').map(readLevel))
  },
}

function readLevel(text: string): [Resource, string] {
  const [name, level = ''] = text.trim().split(':')
  const resource = RESOURCES.find((one) => one === name)
  if (resource && (LEVELS[resource] as readonly string[]).includes(level)) return [resource, level]
  const choices = RESOURCES.map((one) => `${one}:${LEVELS[one].join('|')}`).join(', ')
  throw new InvalidArgumentError(`A key of an organization has ${choices}.`)
}
