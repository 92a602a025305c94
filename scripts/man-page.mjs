// The manual page, generated from the commands themselves. Run as a program it writes dist/heliograph.1, which the package has;
// the command line that servers hand out gets a page of its own commands (build-clients.mjs).
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// `topics`: what "heliograph help TOPIC" prints, by the name of the topic.
export function manPage(program, topics) {
  return `${[
    `.TH HELIOGRAPH 1 "" "Heliograph ${version}" "Heliograph"`,
    '.SH NAME',
    `heliograph \\- ${escaped(sentence(program.description()))}`,
    '.SH SYNOPSIS',
    '.B heliograph',
    escaped('command [options] [arguments]'),
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => section(command, 'heliograph')),
    ...Object.entries(topics).flatMap(([name, text]) => [
      `.SH ${name.toUpperCase()}`,
      '.nf',
      ...text.split('\n').map(escaped),
      '.fi',
    ]),
    '.SH SEE ALSO',
    escaped('The documentation is at /docs/ of every server, the description of its API at /docs/api.'),
  ].join('\n')}\n`
}

function section(command, path) {
  const name = `${path} ${command.name()}`
  if (command.commands.length > 0) return command.commands.flatMap((child) => section(child, name))
  const { example, notes } = afterOptions(command)
  return [
    `.SS "${escaped(`${name} ${command.usage()}`)}"`,
    escaped(`${capital(sentence(command.description()))}.`),
    ...described(command.registeredArguments.filter(({ description }) => description).map((one) => [one.name(), one])),
    ...described(command.options.filter(({ hidden }) => !hidden).map((one) => [one.flags, one])),
    ...(notes ? ['.PP', '.nf', ...notes.split('\n').map(escaped), '.fi'] : []),
    '.PP',
    'Example:',
    '.RS',
    '.nf',
    escaped(example),
    '.fi',
    '.RE',
  ]
}

const described = (entries) =>
  entries.flatMap(([term, { description, argChoices }]) => [
    '.TP',
    `.B "${escaped(term)}"`,
    escaped(argChoices ? `${description} (${argChoices.join(', ')})` : description),
  ])

// What a command adds to its help below the options: notes, and last an example.
function afterOptions(command) {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  const [, after = ''] = text.split(/^ +-h, --help +.*\n/m)
  const [notes = '', example = ''] = after.split('Example:\n')
  return { notes: notes.trim(), example: example.trim() }
}

const sentence = (text) => text.trim().replace(/\.$/, '')
const capital = (text) => text[0].toUpperCase() + text.slice(1)

// A line must not begin with a request of roff; "-" alone would become a typographic hyphen.
const escaped = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replace(/^(?=[.'])/, '\\&')

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { loadProgram } = await import('../src/boot/program.ts')
  const { HELP_TOPICS } = await import('../src/cli/help-topics.ts')
  const topics = { clients: HELP_TOPICS.clients(), settings: HELP_TOPICS.settings() }
  writeFileSync(new URL('../dist/heliograph.1', import.meta.url), manPage(await loadProgram(), topics))
}
