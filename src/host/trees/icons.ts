/** Icons of the trees: colours always come with shapes. */
import * as vscode from 'vscode';
import type { RunHead } from '../../runs/store/runHead.ts';
import type { QueuePlace } from '../runs/queuePlace.ts';
import type { FamilyGroup } from './runs/familyGroups.ts';

const icon = (name: string, colour?: string): vscode.ThemeIcon =>
  colour === undefined ? new vscode.ThemeIcon(name) : new vscode.ThemeIcon(name, new vscode.ThemeColor(colour));

export const stateIcons: Record<RunHead['state'], vscode.ThemeIcon> = {
  running: icon('sync~spin', 'charts.blue'),
  paused: icon('debug-pause', 'charts.blue'),
  interrupted: icon('warning', 'list.warningForeground'),
  failed: icon('error', 'list.errorForeground'),
  stopped: icon('debug-stop', 'descriptionForeground'),
  finished: icon('pass', 'genenv.good'),
};

const withoutTasks = icon('warning', 'list.warningForeground');

/** A run's state; one that ended without tasks needs attention. */
export const runIcon = ({ state, ending }: Pick<RunHead, 'state' | 'ending'>): vscode.ThemeIcon =>
  state === 'finished' && ending === 'no-tasks' ? withoutTasks : stateIcons[state];

const [waits, lacksKey] = [icon('clock', 'charts.blue'), icon('key', 'list.warningForeground')];

/** Of a run that waits in a queue: one without its key needs a person. */
export const queueIcon = ({ wait }: Pick<QueuePlace, 'wait'>): vscode.ThemeIcon =>
  wait?.kind === 'delay' && wait.delay === 'key' ? lacksKey : waits;

/** The same marks as in the charts: down for too hard, up for too easy. */
export const groupIcons: Record<FamilyGroup, vscode.ThemeIcon> = {
  'too hard': icon('triangle-down', 'genenv.environment'),
  'in band': icon('circle-filled', 'genenv.good'),
  'too easy': icon('triangle-up', 'genenv.agent'),
  'not measured': icon('circle-slash', 'descriptionForeground'),
};

export const icons = {
  working: icon('loading~spin'),
  unfinished: icon('circle-large-outline', 'descriptionForeground'),
  problem: icon('error', 'list.errorForeground'),
  kept: icon('circle-filled'),
  leftOut: icon('circle-outline', 'descriptionForeground'),
  mixed: icon('library'),
  rejected: icon('discard'),
  refused: icon('circle-slash', 'descriptionForeground'),
  task: icon('note'),
  solved: icon('check', 'genenv.good'),
  unsolved: icon('x', 'list.errorForeground'),
  unjudged: icon('question', 'list.warningForeground'),
  more: icon('ellipsis'),
  note: icon('info', 'descriptionForeground'),
};
