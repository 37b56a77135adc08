// Mocha's spec report for people; the counts, what failed, what passed on a second try and what did not run in a file for scripts/test.mjs.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');
const { skippedFor } = require('./skip.ts');

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    const skipped = [];
    const retried = [];
    runner.on('fail', (test, error) => failed.push(`${test.fullTitle()}\n${error.stack ?? error.message}`));
    runner.on('retry', (test, error) => retried.push(`${test.fullTitle()}: ${error.message}`));
    runner.on('pending', (test) => skipped.push({ title: test.fullTitle(), reason: skippedFor(test) }));
    runner.once('end', () => {
      const { passes, failures } = this.stats;
      writeFileSync(options.reporterOptions.output, JSON.stringify({ passes, failures, failed, skipped, retried }));
    });
  }
};
