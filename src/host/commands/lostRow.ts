/** Calls of a command from a row of a tree that VS Code lost. */
import { lacksRow } from './lacksRow.ts';

const names = [
  ...['searchTraces', 'stopSearch', 'refineSearch', 'searchAgain', 'openSearchPage', 'clearSearch'],
  ...['newAdapter', 'refreshBenchmarks', 'addEndpoint', 'setUpBox', 'endpointDoctor', 'refreshEndpoints'],
  ...['startRun', 'newExperiment', 'importRollouts', 'filterRuns', 'clearFilter', 'sortRuns'],
  ...['saveFilter', 'compareRuns', 'openRunTable', 'refreshRuns', 'showLog', 'exportPool'],
  ...['pauseQueue', 'resumeQueue', 'openTerminal', 'showRunnerLog'],
];
/** Commands with a button or a menu entry above a view: VS Code calls these, too, without a row where none has the focus. */
export const titleCommands: ReadonlySet<string> = new Set(names.map((name) => `genenv.${name}`));

/**
 * Whether a command was called from a row that VS Code could not find any more, as it was drawn again at the moment of the
 * click.
 */
export const isLostRow = (command: string, given: readonly unknown[]): boolean =>
  lacksRow(given) && !titleCommands.has(command);
