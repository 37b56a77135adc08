import * as vscode from 'vscode';
import type { Log } from '../../engine/ports.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { englishMeasured, englishPercent } from '../../shared/text/figures/englishFigures.ts';

/** The log channel "GenEnv"; its level is set with "Developer: Set Log Level…". */
export const createLog = (): vscode.LogOutputChannel => vscode.window.createOutputChannel('GenEnv', { log: true });

/** The log of runs: the loop's own remarks are at the debug level. */
export const runLog = (log: vscode.LogOutputChannel): Log => ({
  info: (message) => log.debug(message),
  warn: (message) => log.warn(message),
});

/** A log line for events of interest; null for others. */
export function eventLine(event: JournalEvent): string | null {
  switch (event.type) {
    case 'epoch.finished': {
      const { epoch, successRate, inBand, validation } = event.summary;
      const held = validation === undefined ? '' : `, validation ${englishMeasured(validation)}`;
      return `epoch ${epoch}: ${englishMeasured(successRate)}, ${englishPercent(inBand)} in band${held}`;
    }
    case 'settings.changed':
      return `epoch ${event.epoch}: ${event.changes.map(({ field, from, to }) => `${field} ${JSON.stringify(from)} → ${JSON.stringify(to)}`).join(', ')}, by ${event.author}`;
    case 'tasks.edited':
      return `${event.edits.length} ${event.edits.length === 1 ? 'edit' : 'edits'} of tasks by ${event.author} at the start of epoch ${event.epoch}`;
    case 'verdicts.rescored':
      return `${event.attempts} attempts judged again by ${event.reward.path}, ${event.flips} flips: applied by ${event.author} as rescoring ${event.rescoring}`;
    case 'rescoring.withdrawn':
      return `rescoring ${event.rescoring} taken back by ${event.author}`;
    case 'agent.updated':
    case 'environment.updated':
      return event.job === undefined ? null : `epoch ${event.epoch}: ${event.version.name} by job ${event.job.id}`;
    case 'agent.skipped':
    case 'environment.skipped':
      return `epoch ${event.epoch}: ${event.type.split('.')[0] ?? ''} not updated: ${event.reason}`;
    case 'run.finished':
      return event.note;
    default:
      return null;
  }
}
