// heliograph completion: a script for the shell, generated from the commands and options themselves. Names that only the server
// or the profiles know are asked for while the person types.
import { Argument, Command } from 'commander'
import type { Names } from './client/completed-names.ts'
import { quotedForShell as quoted, withExample } from './output.ts'

const SHELLS = { bash, zsh, fish }
type Shell = keyof typeof SHELLS

export function completionCommand(loadProgram: () => Promise<Command>, topics: string[]): Command {
  const command = new Command('completion')
    .description('print a script that completes commands, options and names in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SHELLS)))
    .argument('[names]', 'as the script asks: print the names of these, such as widgets')
    .addHelpText(
      'after',
      `
Where to put it:
  bash   ~/.local/share/bash-completion/completions/heliograph
  zsh    a file named _heliograph in a folder of $fpath
  fish   ~/.config/fish/completions/heliograph.fish`,
    )
  withExample(command, 'source <(heliograph completion bash)')
  return command.action(async (shell: Shell, names?: string) => {
    if (names !== undefined) return (await import('./client/completed-names.ts')).printNames(names)
    console.log(SHELLS[shell](placesOf(await loadProgram(), topics)))
  })
}

type Word = { word: string; description: string }
// `names`: which names to ask for, if the values are such.
type Flag = Word & { takesValue: boolean; choices: readonly string[]; names?: Names }
// What can follow a command; the path of "heliograph share create" is " share create".
type Place = { path: string; commands: Word[]; flags: Flag[]; choices: readonly string[]; names?: Names }

const HELP_FLAG: Flag = { word: '--help', description: 'show the help', takesValue: false, choices: [] }

const NAMES_OF_FLAG: Record<string, Names> = {
  '--profile': 'profiles',
  '--activity': 'activities',
  '--escalation': 'escalations',
  '--heartbeat': 'heartbeats',
}
// What the argument "slug" is in the commands of a group.
const NAMES_OF_SLUG: Record<string, Names> = {
  widget: 'widgets',
  activity: 'activities',
  share: 'activities',
  heartbeat: 'heartbeats',
  escalation: 'escalations',
}

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
    names: command.registeredArguments.some((argument) => argument.name() === 'slug')
      ? NAMES_OF_SLUG[path.split(' ')[1] ?? '']
      : undefined,
  }
  return [place, ...command.commands.flatMap((child) => placesBelow(child, `${path} ${child.name()}`))]
}

function flagOf(option: Command['options'][number]): Flag {
  return {
    word: option.long ?? option.short ?? '',
    description: firstPart(option.description),
    takesValue: option.required,
    choices: option.argChoices ?? [],
    names: NAMES_OF_FLAG[option.long ?? ''],
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

const joined = (words: readonly string[]) => quoted(words.join(' '))
// An error would be printed into the line that the person types.
const asking = (shell: Shell, names: Names) => `heliograph completion ${shell} ${names} 2>/dev/null`

function bash(places: Place[]): string {
  const values = valuesOf(places).map(
    ({ path, word, choices, names }) =>
      `    ${quoted(`${path} ${word}`)}) words=${names ? `$(${asking('bash', names)})` : joined(choices)} ;;`,
  )
  const asked = places.flatMap(({ path, names }) =>
    names ? [`    ${quoted(path)}) words="$words $(${asking('bash', names)})" ;;`] : [],
  )
  const words = places.map(
    (place) => `    ${quoted(place.path)}) words=${joined(wordsOf(place).map(({ word }) => word))} ;;`,
  )
  return `# Completes heliograph in bash.
_heliograph() {
  local at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
    ' run --')
      # Of bash-completion: completes the command that is run.
      declare -F _command_offset >/dev/null && _command_offset $((i + 1))
      return
      ;;
    ${pathsOf(places, quoted).join('|')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
  *)
    case "$at" in
${words.join('\n')}
    esac
    [[ "\${COMP_WORDS[COMP_CWORD]}" = -* ]] || case "$at" in
${asked.join('\n')}
    esac
    ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _heliograph heliograph`
}

function zsh(places: Place[]): string {
  const added = (names: Names) => `compadd -- \${(f)"$(${asking('zsh', names)})"}`
  const asked = places.flatMap(({ path, names }) => (names ? [`  (${quoted(path)}) ${added(names)} && return ;;`] : []))
  const values = valuesOf(places).map(({ path, word, choices, names }) => {
    const action = names ? added(names) : choices.length > 0 ? `compadd -- ${choices.map(quoted).join(' ')}` : '_files'
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
    (' run --') shift i words; ((CURRENT -= i)); _normal; return ;;
    (${pathsOf(places, quoted).join('|')}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT - 1]}" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  [[ "$PREFIX" = -* ]] || case "$at" in
${asked.join('\n')}
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
  const lines = places.flatMap(({ path, commands, flags, choices, names }) => {
    const at = `complete -c heliograph -n ${inFish(`__heliograph_at ${quoted(path)}`)}`
    return [
      ...commands.map(({ word, description }) => `${at} -f -a ${inFish(word)} -d ${inFish(description)}`),
      ...choices.map((word) => `${at} -f -a ${inFish(word)}`),
      ...(names ? [`${at} -f -a ${inFish(`(${asking('fish', names)})`)}`] : []),
      ...flags.map((flag) => {
        const offered = flag.names ? `(${asking('fish', flag.names)})` : flag.choices.join(' ')
        const value = offered ? ` -x -a ${inFish(offered)}` : flag.takesValue ? ' -r' : ''
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
