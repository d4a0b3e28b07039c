/** Prints `N passed, N failed, N skipped` from vitest's own results; fails where a result is missing or holds no test. */
import { readFileSync } from 'node:fs';

const total = { passed: 0, failed: 0, skipped: 0 };
let whole = true;
for (const file of process.argv.slice(2)) {
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'));
    total.passed += result.numPassedTests;
    total.failed += result.numFailedTests;
    total.skipped += result.numPendingTests + result.numTodoTests;
    // A file that fails before its tests begin counts as one failure.
    const broken = result.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length;
    total.failed += broken;
    if (result.numTotalTests === 0) whole = false;
  } catch (error) {
    process.stderr.write(`no test result in ${file}: ${error.message}\n`);
    whole = false;
  }
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exitCode = whole && total.failed === 0 ? 0 : 1;
