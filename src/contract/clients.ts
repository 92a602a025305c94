// The commands that install what the server hands out at /clients/, from its own address: the npm package with the name of the
// program belongs to somebody else.

// npm 12 installs from an address only with this flag, and only what the command itself names; older versions ignore it.
export const ALLOW_ADDRESS = '--allow-remote=root'

export const commandLineFile = (server: string) => `${server}/clients/heliograph-cli.tgz`

// A project keeps a copy of the TypeScript client: its lock file holds the checksum, which an upgrade of the server changes.
export const INSTALL = {
  commandLine: (server: string) => `npm install --global ${ALLOW_ADDRESS} ${commandLineFile(server)}`,
  typescript: (server: string) =>
    `curl -fsSO ${server}/clients/heliograph-client.tgz\nnpm install ./heliograph-client.tgz`,
  python: (server: string, version: string) => `pip install ${server}/clients/heliograph-${version}-py3-none-any.whl`,
  shell: (server: string) => `curl -fsSO ${server}/clients/heliograph.sh`,
}
