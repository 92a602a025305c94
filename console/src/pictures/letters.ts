// The fonts that the texts of a card need, and who draws them: the layout library alone, or, if one of them has letters that it draws
// wrong, we do (writing.ts).
import type { Font } from 'satori'
import type { Child } from './elements.ts'
import { faceOf } from './faces.ts'
import { folderFilesFor } from './font-folder.ts'
import { BOX, filesOf, isPlain, plainFilesOf } from './fonts.ts'
import { createWriting, type Writing } from './writing.ts'

export type Letters = { fonts: Font[]; writing?: Writing }

// Texts that the components write for themselves, such as the ellipsis of a line that was cut.
const ALWAYS = '…'

export async function lettersOf(elements: Child[]): Promise<Letters> {
  const text = ALWAYS + textOf(elements)
  if (isPlain(text)) return { fonts: await Promise.all(plainFilesOf(text).map((file) => file.read())) }
  const bundled = await Promise.all(filesOf(text).map(faceOf))
  const missing = [...new Set(text)]
    .map((char) => char.codePointAt(0) ?? 0)
    .filter((codePoint) => !bundled.some((face) => face.has(codePoint)))
  const files = [...filesOf(text), ...(await folderFilesFor(missing)), BOX]
  const [fonts, faces] = await Promise.all([
    Promise.all(files.map((file) => file.read())),
    Promise.all(files.map(faceOf)),
  ])
  return { fonts, writing: createWriting(faces) }
}

const textOf = (elements: Child[]): string =>
  elements.map((one) => (typeof one === 'string' ? one : textOf(one.props.children ?? []))).join('\n')
