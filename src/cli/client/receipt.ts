// heliograph receipt get | wait | cancel: alerts that repeat until someone acknowledges them.
import { Command } from 'commander'
import type { CancelByTagResult, ReceiptView } from '../../contract/receipts.ts'
import { columns, commandGroup, print, printableLine } from '../output.ts'
import { apiFor } from './api.ts'
import { asClient, withDuration } from './arguments/options.ts'
import { showing } from './common-commands.ts'
import { unanswered } from './errors.ts'
import { DEFAULT_WAIT_SECONDS, WAIT_BOUNDS, waitFor } from './wait.ts'

export const receiptCommand = (): Command =>
  commandGroup('receipt', 'follow and cancel alerts that were sent with --ack', 'heliograph receipt wait 17', [
    getCommand(),
    waitCommand(),
    cancelCommand(),
  ])

const ID = ['<id>', 'id of the notification, as "heliograph send" prints it'] as const
const pathOf = (id: string) => `/notifications/receipts/${encodeURIComponent(id)}`

const getCommand = (): Command => {
  const command = new Command('get').description('show whether an alert is acknowledged').argument(...ID)
  return showing(command, 'heliograph receipt get 17', pathOf, receiptInWords)
}

type WaitOptions = { timeout?: number; json?: boolean }

function waitCommand(): Command {
  const command = new Command('wait')
    .description('wait until an alert is acknowledged; exit code 7 if it is not')
    .argument(...ID)
  withDuration(command, '--timeout <duration>', 'how long to wait (default: 1h)', WAIT_BOUNDS)
  return asClient(command, 'heliograph receipt wait 17 --timeout 10m').action(
    async (id: string, { timeout = DEFAULT_WAIT_SECONDS, json }: WaitOptions) => {
      const api = apiFor(command)
      const read = async (seconds: number) => (await api<ReceiptView>('GET', `${pathOf(id)}?wait=${seconds}`)).body
      const receipt = await waitFor(read, ({ status }) => status !== 'active', timeout)
      print(json, receipt, receiptInWords(receipt))
      if (receipt.status !== 'acknowledged') throw unanswered(`alert ${id} is ${receipt.status}, not acknowledged`)
    },
  )
}

function cancelCommand(): Command {
  const command = new Command('cancel')
    .description('stop the repeats of one alert, or of all with a tag that the same key has sent')
    .argument('[id]', ID[1])
    .option('--tag <tag>', 'cancel every active alert with this tag')
  asClient(command, 'heliograph receipt cancel --tag db01')
  return command.action(async (id: string | undefined, options: { tag?: string; json?: boolean }) => {
    if ((id === undefined) === (options.tag === undefined)) command.error('error: give either an id or --tag')
    const api = apiFor(command)
    if (id === undefined) {
      const { body } = await api<CancelByTagResult>('POST', '/notifications/receipts/cancel', { tag: options.tag })
      return print(options.json, body, `canceled ${body.canceled} alerts`)
    }
    const { body } = await api<ReceiptView>('POST', `${pathOf(id)}/cancel`)
    print(options.json, body, receiptInWords(body))
  })
}

function receiptInWords(receipt: ReceiptView): string {
  const rows: [string, string | number | undefined][] = [
    ['notification', receipt.notification_id],
    ['status', receipt.status],
    ['acknowledged', receipt.acknowledged_at],
    ['by', receipt.acknowledged_by_device ?? receipt.acknowledged_by],
    ['button', receipt.action_id],
    ['canceled', receipt.canceled_at],
    ['reason', receipt.cancel_reason],
    ['repeats', receipt.repeats_sent],
    ['expires', receipt.status === 'active' ? receipt.expires_at : undefined],
    ['tags', receipt.tags?.join(' ')],
    ['callback', receipt.callback?.status],
  ]
  return columns(
    rows.filter(([, value]) => value !== undefined).map(([name, value]) => [name, printableLine(`${value}`)]),
  )
}
