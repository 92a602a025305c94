// Writes `file.br` and `file.gz` beside each file that compresses well; the server sends them as they are.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const COMPRESSIBLE = /\.(?:html|js|css|svg|webmanifest)$/

export function precompress(folder, quality = constants.BROTLI_MAX_QUALITY) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((name) => /\.(?:br|gz)$/.test(name))) rmSync(join(folder, name))
  for (const name of names.filter((name) => COMPRESSIBLE.test(name))) {
    const file = join(folder, name)
    const content = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}
