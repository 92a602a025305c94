// heliograph completion: a script for the shell, generated from the commands and options themselves.
import { Argument, Command } from 'commander'
import { withExample } from './output.ts'

const SHELLS = { bash, zsh, fish }
type Shell = keyof typeof SHELLS

export function completionCommand(loadProgram: () => Promise<Command>, topics: string[]): Command {
  const command = new Command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      `
Where to put it:
  bash   ~/.local/share/bash-completion/completions/heliograph
  zsh    a file named _heliograph in a folder of $fpath
  fish   ~/.config/fish/completions/heliograph.fish`,
    )
  withExample(command, 'source <(heliograph completion bash)')
  return command.action(async (shell: Shell) => {
    console.log(SHELLS[shell](placesOf(await loadProgram(), topics)))
  })
}

type Word = { word: string; description: string }
type Flag = Word & { takesValue: boolean; choices: readonly string[] }
// What can follow a command; the path of "heliograph share create" is " share create".
type Place = { path: string; commands: Word[]; flags: Flag[]; choices: readonly string[] }

const HELP_FLAG: Flag = { word: '--help', description: 'show the help', takesValue: false, choices: [] }

function placesOf(program: Command, topics: string[]): Place[] {
  const places = placesBelow(program, '')
  const [root, ...others] = places as [Place, ...Place[]]
  const help = { word: 'help', description: 'help of a command or a topic' }
  const words = [...root.commands.map(({ word }) => word), ...topics]
  const ofHelp = { path: ' help', commands: [], flags: [], choices: words }
  return [{ ...root, commands: [...root.commands, help] }, ...others, ofHelp]
}

function placesBelow(command: Command, path: string): Place[] {
  const place = {
    path,
    commands: command.commands.map((child) => ({
      word: child.name(),
      description: firstPart(child.summary() || child.description()),
    })),
    // Settings that the help leaves to "heliograph help settings" are completed too.
    flags: [...command.options.map(flagOf), HELP_FLAG],
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  }
  return [place, ...command.commands.flatMap((child) => placesBelow(child, `${path} ${child.name()}`))]
}

function flagOf(option: Command['options'][number]): Flag {
  return {
    word: option.long ?? option.short ?? '',
    description: firstPart(option.description),
    takesValue: option.required,
    choices: option.argChoices ?? [],
  }
}

// A list of words has room for one clause.
const firstPart = (description: string) => description.split(/[;(]/)[0]?.trim() ?? ''

const wordsOf = ({ commands, flags, choices }: Place): Word[] => [
  ...commands,
  ...choices.map((word) => ({ word, description: '' })),
  ...flags,
]

// One entry for each flag of each command that takes a value.
const valuesOf = (places: Place[]) =>
  places.flatMap(({ path, flags }) => flags.filter((flag) => flag.takesValue).map((flag) => ({ ...flag, path })))

// The paths of all commands. The first place is the program itself, which has none.
const pathsOf = (places: Place[], quote: (path: string) => string) => places.slice(1).map(({ path }) => quote(path))

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const joined = (words: readonly string[]) => quoted(words.join(' '))

function bash(places: Place[]): string {
  const values = valuesOf(places).map(
    ({ path, word, choices }) => `    ${quoted(`${path} ${word}`)}) words=${joined(choices)} ;;`,
  )
  const words = places.map(
    (place) => `    ${quoted(place.path)}) words=${joined(wordsOf(place).map(({ word }) => word))} ;;`,
  )
  return `# Completes heliograph in bash.
_heliograph() {
  local at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
    ' run --') return ;;
    ${pathsOf(places, quoted).join('|')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
  *)
    case "$at" in
${words.join('\n')}
    esac
    ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _heliograph heliograph`
}

function zsh(places: Place[]): string {
  const values = valuesOf(places).map(({ path, word, choices }) => {
    const action = choices.length > 0 ? `compadd -- ${choices.map(quoted).join(' ')}` : '_files'
    return `  (${quoted(`${path} ${word}`)}) ${action}; return ;;`
  })
  const words = places.map((place) => {
    const entries = wordsOf(place).map(({ word, description }) =>
      quoted(`${word}:${description.replaceAll(':', '\\:')}`),
    )
    return `  (${quoted(place.path)}) entries=(${entries.join(' ')}) ;;`
  })
  return `#compdef heliograph
# Completes heliograph in zsh.
_heliograph() {
  local at='' i
  local -a entries
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
    (' run --') _files; return ;;
    (${pathsOf(places, quoted).join('|')}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT - 1]}" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  _describe 'heliograph' entries || _files
}
if [[ "\${funcstack[1]}" = _heliograph ]]; then
  _heliograph "$@"
else
  compdef _heliograph heliograph
fi`
}

function fish(places: Place[]): string {
  const inFish = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = places.flatMap(({ path, commands, flags, choices }) => {
    const at = `complete -c heliograph -n ${inFish(`__heliograph_at ${quoted(path)}`)}`
    return [
      ...commands.map(({ word, description }) => `${at} -f -a ${inFish(word)} -d ${inFish(description)}`),
      ...choices.map((word) => `${at} -f -a ${inFish(word)}`),
      ...flags.map((flag) => {
        const value =
          flag.choices.length > 0 ? ` -x -a ${inFish(flag.choices.join(' '))}` : flag.takesValue ? ' -r' : ''
        return `${at} -l ${inFish(flag.word.replace(/^--/, ''))}${value} -d ${inFish(flag.description)}`
      }),
    ]
  })
  return `# Completes heliograph in fish.
set -g __heliograph_paths ${pathsOf(places, inFish).join(' ')}
function __heliograph_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    if contains -- "$at $word" $__heliograph_paths
      set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}`
}
