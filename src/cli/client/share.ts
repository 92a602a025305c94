// heliograph share create | list | join | leave
import { Command, Option } from 'commander'
import { LIMITS } from '../../contract/limits.ts'
import type { JoinPreview, ShareCodeInput, ShareCodeView, ShareRole, ShareView } from '../../contract/shares.ts'
import { wholeNumber } from '../../runtime/setting-values.ts'
import { columns, commandGroup, print, printable } from '../output.ts'
import { optionParser } from '../settings-options.ts'
import { apiFor } from './api.ts'
import { asClient, withDuration } from './arguments/options.ts'
import { EXAMPLE_ID, listCommand } from './common-commands.ts'

const ROLES: ShareRole[] = ['viewer', 'editor']
const USES = LIMITS.share.uses

export const shareCommand = (): Command =>
  commandGroup('share', 'share activities with other accounts of a server', 'heliograph share list', [
    createCommand(),
    listShares(),
    joinCommand(),
    leaveCommand(),
  ])

type CreateOptions = { pattern?: string; role?: ShareRole; uses?: number; expires?: number; json?: boolean }

function createCommand(): Command {
  const command = new Command('create')
    .description('create a code by which other accounts join an activity of yours; needs a paid plan')
    .argument('[slug]', 'slug of the activity, unless --pattern is given')
    .option('--pattern <pattern>', "share all activities, present and future, whose slug matches, such as 'deploy-*'")
    .addOption(
      new Option('--role <role>', 'a viewer gets the pushes, an editor also updates (default: viewer)').choices(ROLES),
    )
    .option(
      '--uses <number>',
      `how many accounts can join by the code, ${USES.min} to ${USES.max} (default: ${USES.default})`,
      optionParser(wholeNumber(USES.min, USES.max)),
    )
  const validity = 'how long the code is valid, such as 10m (default: 24h)'
  withDuration(command, '--expires <duration>', validity, LIMITS.share.codeSeconds)
  return asClient(command, "heliograph share create --pattern 'deploy-*' --role editor").action(
    async (slug: string | undefined, options: CreateOptions) => {
      const { path, body: input } = createRequest(command, slug, options)
      const { body: code } = await apiFor(command)<ShareCodeView>('POST', path, input)
      print(options.json, code, codeInWords(code))
    },
  )
}

function createRequest(command: Command, slug: string | undefined, options: CreateOptions) {
  const body: ShareCodeInput = { role: options.role, max_uses: options.uses, expires_in: options.expires }
  if (slug?.endsWith('*')) command.error(`error: "${slug}" is a pattern; write --pattern '${slug}'`)
  if ((slug === undefined) === (options.pattern === undefined)) {
    command.error('error: name one activity by its slug, or several by --pattern, and not both')
  }
  if (slug === undefined) return { path: '/shares/patterns', body: { ...body, slug_pattern: options.pattern } }
  return { path: `/activities/${encodeURIComponent(slug)}/share`, body }
}

const listShares = (): Command =>
  listCommand<ShareView>('share', 'list what you share and what is shared with you', {
    path: '/shares',
    head: ['ID', 'ACTIVITY', 'ROLE', 'SHARED'],
    row: (share) => [share.id, sharedName(share), share.role, otherParty(share)],
    none: 'no shares yet',
  })

function joinCommand(): Command {
  const command = new Command('join')
    .description('join what another account shares')
    .argument('<code>', 'the code, in upper or lower case, with or without spaces and hyphens')
    .option('--dry-run', 'show what the code shares, and do not join')
  return asClient(command, 'heliograph share join K7QW-2MXD').action(
    async (code: string, options: { dryRun?: boolean; json?: boolean }) => {
      const api = apiFor(command)
      if (options.dryRun) {
        const { body } = await api<JoinPreview>('POST', '/shares/join?dry_run=true', { code })
        return print(options.json, body, `would join ${shareInWords(body.would)}`)
      }
      const { status, body } = await api<ShareView>('POST', '/shares/join', { code })
      const verb = status === 201 ? 'joined' : 'had already joined'
      print(options.json, body, `${verb} ${shareInWords(body)}\nto leave: heliograph share leave ${body.id}`)
    },
  )
}

function leaveCommand(): Command {
  const command = new Command('leave')
    .description('leave what is shared with you, or stop sharing with one recipient')
    .argument('<id>', 'id of the share, as "heliograph share list" prints it')
  return asClient(command, `heliograph share leave ${EXAMPLE_ID}`).action(
    async (id: string, options: { json?: boolean }) => {
      await apiFor(command)('DELETE', `/shares/${encodeURIComponent(id)}`)
      print(options.json, { id, deleted: true }, `ended share ${id}`)
    },
  )
}

function codeInWords(code: ShareCodeView): string {
  return columns([
    ['code', code.code],
    ['link', code.share_url],
    ['shares', sharedName(code)],
    ['role', code.role],
    ['uses left', String(code.max_uses - code.use_count)],
    ['expires', code.expires_at],
  ])
}

type Shared = Pick<ShareView, 'slug' | 'slug_pattern'>
type Joined = Shared & Pick<ShareView, 'role' | 'owner_id' | 'owner_nickname'>

const shareInWords = (share: Joined) => `${sharedName(share)} as ${share.role}, shared ${byOwner(share)}`

const sharedName = ({ slug, slug_pattern: pattern }: Shared) => slug ?? pattern ?? ''

const byOwner = ({ owner_id: id, owner_nickname: name }: Omit<Joined, 'role'>) => `by ${printable(name ?? id)}`

function otherParty(share: ShareView): string {
  if (share.direction === 'received') return byOwner(share)
  return `with ${printable(share.recipient_nickname ?? share.recipient_id)}`
}
