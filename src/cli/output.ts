// What commands print: an example at the end of their help, a JSON object for programs, aligned columns for people.
import { styleText } from 'node:util'
import { Command } from 'commander'
import { errorCode } from '../domain/errors.ts'

export function withExample(command: Command, example: string): Command {
  return command.addHelpText('after', `\nExample:\n  ${example}`)
}

export function commandGroup(name: string, description: string, example: string, commands: Command[]): Command {
  const group = new Command(name).description(description)
  for (const command of commands) group.addCommand(command)
  return withExample(group, example)
}

// Set by the option --quiet of client commands.
let isQuiet = false
export const setQuiet = (quiet: boolean): void => {
  isQuiet = quiet
}

export function print(asJson: boolean | undefined, value: object, text: string): void {
  if (!isQuiet) console.log(asJson ? JSON.stringify(value) : text)
}

// Each column is as wide as its widest cell; the last one is not padded.
export function columns(rows: string[][]): string {
  const widths =
    rows[0]?.map((_, column) => rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0)) ?? []
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

// Quoted, so that a shell reads it as one word.
export const quotedForShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

// Removes control characters: text of other people must not be able to control the reader's terminal.
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, (char) => (char === '\n' ? char : '·'))

export const printableLine = (text: string) => printable(text).replaceAll('\n', ' ')

// Styled only on a terminal, and not if NO_COLOR is set.
export const bold = (text: string) => styleText('bold', text, { stream: process.stdout })
export const dim = (text: string) => styleText('dim', text, { stream: process.stdout })

// The reader of a pipe may leave before the end: "heliograph inbox | head -1".
export function endQuietlyWithoutReader(): void {
  process.stdout.off('error', endOnClosedPipe).on('error', endOnClosedPipe)
}

function endOnClosedPipe(error: Error): void {
  if (errorCode(error) !== 'EPIPE') throw error
  process.exit(0)
}
