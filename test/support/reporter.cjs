// Mocha's spec report for people, and the counts in a file for scripts/test.mjs.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(options.reporterOptions.output, JSON.stringify({ passes, failures, pending }));
    });
  }
};
