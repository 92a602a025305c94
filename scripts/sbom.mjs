// Prints the software bill of materials (CycloneDX) of what an installation runs: `npm run --silent sbom > sbom.json`.
// Made from a copy of package-lock.json without development dependencies: npm 11.19.1 with --omit=dev leaves out every
// package that a development dependency needs as well, for example pg and commander.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { devDependencies, ...manifest } = readJson('package.json')
const lock = readJson('package-lock.json')
const packages = Object.entries(lock.packages).filter(([, { dev }]) => !dev)

const temporary = mkdtempSync(join(tmpdir(), 'heliograph-sbom-'))
// npm names the product after its folder, and the scope after the folder above.
const folder = join(temporary, manifest.name)
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
writeFileSync(
  join(folder, 'package-lock.json'),
  JSON.stringify({ ...lock, packages: { ...Object.fromEntries(packages), '': manifest } }),
)
const flags = ['--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
execFileSync('npm', ['sbom', '--silent', ...flags], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
rmSync(temporary, { recursive: true })

function readJson(path) {
  return JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
}
