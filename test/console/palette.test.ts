// What the command palette finds.
import { describe, expect, test } from 'vitest'
import { type Command, findCommands, movedBy } from '../../console/src/shell/commands.ts'

const commands = ['New message', 'Keys', 'New key', 'Theme: Dark'].map(
  (name): Command => ({ id: name, name, icon: 'key', run: () => {} }),
)
const found = (query: string) => findCommands(commands, query).map(({ name }) => name)

describe('the command palette', () => {
  test('offers everything before anything is typed', () => {
    expect(found(' ')).toHaveLength(4)
  })

  test('finds the beginnings of words in any order, names that begin so first', () => {
    expect(found('key')).toEqual(['Keys', 'New key'])
    expect(found('KEY new')).toEqual(['New key'])
    expect(found('dark')).toEqual(['Theme: Dark'])
    expect(found('eys')).toEqual([])
  })

  test('finds an entry by other words for it', () => {
    const mutes: Command = { id: 'sound', name: 'Sound', words: 'mute silence', icon: 'bell', run: () => {} }
    expect(findCommands([...commands, mutes], 'mute')).toEqual([mutes])
  })

  test('goes round with the arrow keys', () => {
    expect([movedBy(1, 2, 3), movedBy(-1, 0, 3), movedBy(1, 0, 0)]).toEqual([0, 2, 0])
  })
})
