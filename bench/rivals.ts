/** Has the rivals' programs in a cache outside the repository: docker-compose built with Go, testcontainers from npm. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const COMPOSE = 'v2.40.3';
const TESTCONTAINERS = '11.14.0'; // 12 needs Node 22

const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'redlock-chaos', 'bench');

const run = (folder: string, program: string, ...words: string[]): void => {
  execFileSync(program, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
};

/** A module of our own: `go install …@version` refuses a module with replacements. */
export const buildCompose = (say: (line: string) => void): string => {
  const program = join(cache, `docker-compose-${COMPOSE}`);
  if (existsSync(program)) return program;
  say(`Building docker-compose ${COMPOSE} with Go (some minutes, once)`);
  const folder = join(cache, 'compose-build');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'go.mod'), `module compose-build\n\nrequire github.com/docker/compose/v2 ${COMPOSE}\n`);
  writeFileSync(join(folder, 'import.go'), '//go:build never\n\npackage main\n\nimport _ "github.com/docker/compose/v2/cmd"\n');
  run(folder, 'go', 'mod', 'tidy', '-e');
  const version = `-X github.com/docker/compose/v2/internal.Version=${COMPOSE}`;
  run(folder, 'go', 'build', '-trimpath', '-ldflags', `-s -w ${version}`, '-o', `${program}.part`, 'github.com/docker/compose/v2/cmd');
  renameSync(`${program}.part`, program);
  return program;
};

/** @returns the folder in which it is installed */
export const installTestcontainers = (say: (line: string) => void): string => {
  const folder = join(cache, `testcontainers-${TESTCONTAINERS}`);
  if (existsSync(join(folder, 'node_modules', 'testcontainers'))) return folder;
  say(`Installing testcontainers ${TESTCONTAINERS} (once)`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  run(folder, 'npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', `testcontainers@${TESTCONTAINERS}`);
  return folder;
};
