/** The settings of every VS Code that tests or demonstrates the extension. */

/** Themes by the short names that tests use. */
export const themes: Readonly<Record<string, string>> = {
  dark: 'Dark 2026',
  light: 'Light 2026',
  hc: 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};

/** Quiet: nothing of the workbench's own comes between a test and the extension. */
export const baseSettings: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  // Settings and Workspace Trust would open in a modal editor that swallows F1.
  'workbench.editor.useModal': 'off',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'files.autoSave': 'off',
  'editor.accessibilitySupport': 'off',
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'git.openRepositoryInParentFolders': 'never',
  'typescript.disableAutomaticTypeAcquisition': true,
  'debug.javascript.autoAttachFilter': 'disabled',
  // Each window for itself; what is about the queue asks for it.
  'genenv.runs.where': 'host',
};
