// Mocha's spec report for people; the counts and what failed in a file for scripts/test.mjs.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    runner.on('fail', (test, error) => failed.push(`${test.fullTitle()}\n${error.stack ?? error.message}`));
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(options.reporterOptions.output, JSON.stringify({ passes, failures, pending, failed }));
    });
  }
};
