/** Unit tests need no servers; end-to-end tests use real ones, one file at a time, without retries. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts', 'chaos/**/*.test.ts'], exclude: ['**/*.e2e.test.ts'] } },
      {
        test: {
          name: 'e2e',
          include: ['src/**/*.e2e.test.ts'],
          fileParallelism: false,
          retry: 0,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
