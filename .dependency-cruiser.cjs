/** The import rules: data flows one way, lower may not import higher, and one library has one home. */

const LEVELS = [
  ['model'],
  ['history', 'infra', 'locks'],
  ['checkers', 'faults', 'contender'],
  ['verdict', 'nemesis'],
  ['report'],
  ['run'],
  ['cli'],
];

const folder = (names) => `^src/(${names.join('|')})/`;

const levelRules = LEVELS.flatMap((level, index) => {
  const higher = LEVELS.slice(index + 1).flat();
  return [
    ...(higher.length > 0
      ? [{ name: `${level.join('-')}-imports-nothing-higher`, severity: 'error', from: { path: folder(level) }, to: { path: folder(higher) } }]
      : []),
    ...level.flatMap((name) => {
      const beside = level.filter((other) => other !== name);
      return beside.length === 0 ? [] : [{ name: `${name}-imports-nothing-beside`, severity: 'error', from: { path: folder([name]) }, to: { path: folder(beside) } }];
    }),
  ];
});

const home = (library, path) => ({
  name: `${library}-has-one-home`,
  severity: 'error',
  from: { path: '^(bin|src|chaos)/', pathNot: path },
  to: { path: `node_modules/${library}/` },
});

module.exports = {
  forbidden: [
    ...levelRules,
    { name: 'src-imports-no-index-chaos-or-bin', severity: 'error', from: { path: '^src/' }, to: { path: '^(src/index\\.ts|chaos/|bin/)' } },
    { name: 'chaos-imports-only-the-public-api', severity: 'error', from: { path: '^chaos/' }, to: { pathNot: '^(src/index\\.ts$|chaos/)' } },
    home('dockerode', '^src/infra/docker/'),
    home('toxiproxy-node-client', '^src/infra/'),
    home('ioredis', '^src/(infra|locks)/'),
    home('commander', '^src/cli/'),
    home('ora', '^src/report/progress\\.ts$'),
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.test\\.ts$', '\\.d\\.ts$', '^src/contender/main\\.ts$'] },
      to: {},
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'tests-are-not-imported', severity: 'error', from: { pathNot: '\\.test\\.ts$' }, to: { path: '\\.(test|fixture)\\.ts$' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
