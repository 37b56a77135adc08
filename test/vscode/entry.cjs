// VS Code loads this in the extension host by require() and calls run(); the suite itself is an ES module.
exports.run = async () => {
  const { runSuite } = await import('./suite.ts');
  await runSuite();
};
