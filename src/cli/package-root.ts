/** Where this package stands: its docker-compose.yml and its version are beside package.json. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** From source and from dist/ alike: the nearest folder upwards with a package.json. */
const packageRoot = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    try {
      readFileSync(join(folder, 'package.json'));
      return folder;
    } catch {
      if (folder === dirname(folder)) throw new Error('redlock-chaos is installed without its package.json');
    }
  }
};

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;

/** The one description of the servers. */
export const composePath = (): string => join(packageRoot(), 'docker-compose.yml');
