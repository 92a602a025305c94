// Unpacks packages of Debian into a folder, without installing them.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export async function unpackFromDebian(packages: string[], folder: string): Promise<void> {
  await run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', ...packages], { cwd: folder })
  for (const archive of await readdir(folder)) {
    if (archive.endsWith('.deb')) await run('dpkg', ['-x', archive, '.'], { cwd: folder })
  }
}
