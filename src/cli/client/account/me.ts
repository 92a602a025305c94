// heliograph me: the account of the token, and what is left of its quotas.
import { Command } from 'commander'
import type { AccountView } from '../../../contract/accounts/account.ts'
import { columns, printableLine } from '../../output.ts'
import { showing } from '../common-commands.ts'

export function meCommand(): Command {
  const command = new Command('me').description('show whose token this is, and how much of the quotas is used')
  return showing(command, 'heliograph me', () => '/auth/me', accountInWords)
}

function accountInWords(account: AccountView): string {
  const { integration_key: key, organization } = account
  const rows: [string, string | undefined][] = [
    ['account', account.id],
    ['nickname', account.nickname ?? undefined],
    ['organization', organization?.name],
    ['plan', account.plan],
    ['key', key?.name],
    [
      'may',
      key &&
        Object.entries(key.permissions)
          .map(([resource, level]) => `${resource}:${level}`)
          .join(' '),
    ],
    ['notifications', used(account.notifications_used, account.notifications_limit)],
    ['activity updates', used(account.live_activity_updates_used, account.live_activity_updates_limit)],
    ['widget updates', used(account.widget_updates_used, account.widget_updates_limit)],
    ['e-mails', used(account.emails_used, account.emails_limit)],
    ['quotas reset', account.quota_resets_at],
  ]
  return columns(rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, printableLine(value)]])))
}

const used = (count: number, limit: number | undefined) => (limit === undefined ? `${count}` : `${count} of ${limit}`)
