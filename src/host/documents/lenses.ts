/** Above a task or a trace: its actions and its outcome. */
import * as vscode from 'vscode';
import { marksOf, type LaidOut } from './layout/page.ts';
import { answerScheme, placeOf, textUri, traceScheme, verdictLine, type DocumentPlace } from './layout/place.ts';
import { attemptsLens } from './attemptMarks.ts';
import { openText } from './layout/writtenText.ts';
import { defined } from '../../shared/defined.ts';

export function lensesOf(laidOut: LaidOut, uri: vscode.Uri): vscode.CodeLens[] {
  const place = placeOf(uri);
  const own = ownLenses(laidOut, uri, place);
  return place.text === undefined ? [...own, ...elidedLenses(laidOut, uri)] : [];
}

function ownLenses(laidOut: LaidOut, uri: vscode.Uri, place: DocumentPlace): vscode.CodeLens[] {
  if (uri.scheme === traceScheme) return traceLenses(laidOut, place);
  if (uri.scheme !== answerScheme) return taskLenses(laidOut, place);
  // No run has it: there is nothing else to do with it.
  return [lens(vscode.l10n.t('Tokens'), 'genenv.showTokens', uri)];
}

/** Above the end of each text that is not shown to its end. */
const elidedLenses = (laidOut: LaidOut, uri: vscode.Uri): vscode.CodeLens[] =>
  marksOf(laidOut, 'elided').map(({ line, means: { place } }) =>
    lens(openText(place), 'vscode.open', textUri(uri, place), new vscode.Range(line, 0, line, 0)),
  );

const top = new vscode.Range(0, 0, 0, 0);
const lens = (title: string, command: string, argument: unknown, at = top): vscode.CodeLens =>
  new vscode.CodeLens(at, { title, command, arguments: [argument] });

function traceLenses(laidOut: LaidOut, { run, id }: DocumentPlace): vscode.CodeLens[] {
  const [task] = marksOf(laidOut, 'task');
  if (task === undefined) return [];
  const trace = { run, trace: id };
  const opened = { run, task: task.means.task, epoch: task.means.epoch };
  const above = (line: number): vscode.Range => new vscode.Range(line, 0, line, 0);
  const verdict = above(verdictLine);
  const ofTask = above(task.line);
  // One row of all would be cut in a narrow editor: each stands above the line that it is about.
  return [
    lens(`$(arrow-up) ${vscode.l10n.t('Previous Attempt')}`, 'genenv.previousAttempt', trace),
    lens(`${vscode.l10n.t('Next Attempt')} $(arrow-down)`, 'genenv.nextAttempt', trace),
    lens(vscode.l10n.t('Compare with…'), 'genenv.compareAttempt', trace),
    lens(vscode.l10n.t('Fork…'), 'genenv.forkTrace', trace),
    lens(vscode.l10n.t('Tokens'), 'genenv.showTokens', trace),
    lens(vscode.l10n.t('Score with Reward…'), 'genenv.scoreWithReward', trace, verdict),
    lens(vscode.l10n.t('Debug Reward…'), 'genenv.debugReward', trace, verdict),
    lens(vscode.l10n.t('Pin as Case…'), 'genenv.pinCase', trace, verdict),
    lens(vscode.l10n.t('Open Task'), 'genenv.openTask', opened, ofTask),
    lens(vscode.l10n.t('Attempts Side by Side'), 'genenv.openAttempts', opened, ofTask),
    lens(vscode.l10n.t('Re-attempt…'), 'genenv.reattemptTask', opened, ofTask),
    lens(vscode.l10n.t('Play Task…'), 'genenv.playTask', opened, ofTask),
    ...marksOf(laidOut, 'turn').map(({ line, means: { turn } }) =>
      lens(vscode.l10n.t('Fork Here…'), 'genenv.forkTrace', { ...trace, turns: [turn] }, above(line)),
    ),
  ];
}

function taskLenses(laidOut: LaidOut, { run, id, at }: DocumentPlace): vscode.CodeLens[] {
  const attempts = marksOf(laidOut, 'trace').map(({ means }) => means.trace);
  const task = { run, task: id, ...defined({ epoch: at }) };
  const edit = lens(vscode.l10n.t('Edit Task'), 'genenv.editTask', task);
  const again = lens(vscode.l10n.t('Re-attempt…'), 'genenv.reattemptTask', task);
  const play = lens(vscode.l10n.t('Play Task…'), 'genenv.playTask', task);
  const talk = lens(vscode.l10n.t('Talk about It…'), 'genenv.talkToCheckpoint', task);
  if (attempts.length === 0) return [edit, again, play, talk];
  const verdicts = marksOf(laidOut, 'verdict').map(({ means }) => means.verdict);
  return [
    lens(attemptsLens(verdicts), 'genenv.peekAttempts', { ...task, attempts }),
    lens(vscode.l10n.t('Attempts Side by Side'), 'genenv.openAttempts', task),
    edit,
    again,
    play,
    talk,
  ];
}
