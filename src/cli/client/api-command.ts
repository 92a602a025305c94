// heliograph api: any request of the API, for what has no command of its own.
import { Command } from 'commander'
import { print } from '../output.ts'
import { optionParser } from '../settings-options.ts'
import { apiFor } from './api.ts'
import { type Content, contentFrom, withContent } from './arguments/content-arguments.ts'
import { asClient, repeatable } from './arguments/options.ts'

type Options = { content?: string; header?: [string, string][]; json?: boolean }

export function apiCommand(): Command {
  const command = new Command('api')
    .description('make a request to the API, and print the response')
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE', optionParser(methodName))
    .argument('<path>', 'such as /notifications/17/timeline', optionParser(apiPath))
  withContent(command, 'member of the body, or of the query of a GET')
    .addOption(repeatable('-H, --header <name: value>', 'header of the request; repeatable', header))
    .addHelpText('after', '\nThe requests are described at /docs/api of the server.')
  asClient(command, 'heliograph api POST /notifications title=Hello body=World')
  return command.action(async (method: string, path: string, assigned: Content | undefined, options: Options) => {
    const content = await contentFrom(command, assigned, options.content)
    const headers = Object.fromEntries(options.header ?? [])
    const isGet = method === 'GET'
    const [target, sent] = isGet && content ? [withQuery(path, content), undefined] : [path, content]
    const { body } = await apiFor(command)<object | undefined>(method, target, sent, headers)
    if (body !== undefined) print(options.json, body, JSON.stringify(body, null, 2))
  })
}

function withQuery(path: string, content: Content): string {
  const query = new URLSearchParams(
    Object.entries(content).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

function methodName(text: string): string {
  const method = text.toUpperCase()
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) throw new Error('GET, POST, PUT, PATCH or DELETE')
  return method
}

// The token must reach the server of the profile only, so the path cannot continue the name of its host.
function apiPath(text: string): string {
  if (!/^\/[\x21-\x7e]*$/.test(text))
    throw new Error('a path that begins with "/", with other characters percent-encoded')
  return text
}

function header(text: string): [string, string] {
  const [, name, value] = /^([\w-]+):\s*([\x20-\x7e]*)$/.exec(text) ?? []
  if (!name || value === undefined) throw new Error('of the form "Name: value"')
  return [name.toLowerCase(), value]
}
