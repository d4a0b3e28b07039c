/** Finds the programs that local mode needs, before anything starts. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { InfrastructureError, UsageError } from '../model/errors.ts';

/** Where quickstart puts a toxiproxy-server that it had to fetch or build. */
const programCache = (): string => join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'redlock-chaos', 'bin');

const INSTALL: Readonly<Record<string, string>> = {
  'redis-server': 'Install it: apt-get install redis-server',
  'toxiproxy-server':
    'Run ./bin/quickstart, or: go install github.com/Shopify/toxiproxy/v2/cmd/server@v2.12.0 and put it on the PATH as toxiproxy-server',
  unshare: 'Install it: apt-get install util-linux',
  setpriv: 'Install it: apt-get install util-linux',
};

/** The path of a program, on the PATH or in the cache. @throws InfrastructureError saying how to install it. */
export const findProgram = (name: string): string => {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), programCache()]) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not here
    }
  }
  throw new InfrastructureError(`${name} is not on the PATH, and local mode needs it`, { hint: INSTALL[name] ?? 'Install it.' });
};

/**
 * Says whether local mode can work on this machine.
 * @throws UsageError where it never can, InfrastructureError where something is missing.
 */
export const checkLocalMode = async (): Promise<void> => {
  if (process.platform !== 'linux') {
    throw new UsageError(`local mode needs Linux (mount namespaces and 127.0.0.0/8), and this is ${process.platform}`, {
      hint: 'Start Docker and use --infra docker.',
    });
  }
  for (const name of Object.keys(INSTALL)) findProgram(name);
  try {
    await promisify(execFile)(findProgram('unshare'), ['-rm', 'true']);
  } catch (cause) {
    throw new InfrastructureError('local mode needs user namespaces, and `unshare -rm true` fails here', {
      hint: 'Run as root, set kernel.apparmor_restrict_unprivileged_userns=0, or use --infra docker.',
      cause,
    });
  }
};
