/**
 * Adds up vitest's JSON reports in the folder that is given, and prints `tests: N passed, N failed`. A file that could
 * not even be loaded counts as one failed test. Plain JavaScript, for the Node that the machine has.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const sums = { passed: 0, failed: 0, skipped: 0 };
for (const name of readdirSync(folder)) {
  const report = JSON.parse(readFileSync(join(folder, name), "utf8"));
  sums.passed += report.numPassedTests;
  sums.failed += report.numFailedTests;
  sums.skipped += report.numPendingTests + report.numTodoTests;
  for (const { status, assertionResults } of report.testResults) {
    if (status === "failed" && !assertionResults.some((test) => test.status === "failed")) sums.failed += 1;
  }
}
if (sums.skipped > 0) process.stdout.write(`skipped: ${sums.skipped}\n`);
process.stdout.write(`tests: ${sums.passed} passed, ${sums.failed} failed\n`);
process.exitCode = sums.passed > 0 && sums.failed === 0 ? 0 : 1;
