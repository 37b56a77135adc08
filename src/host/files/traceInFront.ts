import * as vscode from 'vscode';
import { placeOf, traceScheme } from '../documents/layout/place.ts';
import { runTargetSchema } from '../trees/target.ts';
import { once } from '../once.ts';

/** A trace of a run. */
export interface TraceTarget {
  /** Absolute path of the run's folder. */
  run: string;
  trace: string;
}

const targetSchema = once(() => runTargetSchema.required({ trace: true }));

/**
 * The trace for a command: the one passed, the one in front, in front of another group, or open; a picker asks when
 * there are several. Undefined when none was picked.
 * @param otherwise gives one where none is open @throws Error without it
 */
export async function traceInFront(
  argument: unknown,
  title: string,
  otherwise?: () => Promise<TraceTarget | undefined>,
): Promise<TraceTarget | undefined> {
  const given = argument instanceof vscode.Uri ? undefined : targetSchema().safeParse(argument).data;
  if (given !== undefined) return { run: given.run, trace: given.trace };
  const asked = [argument, vscode.window.activeTextEditor?.document.uri];
  const front = asked.find((uri) => uri instanceof vscode.Uri && uri.scheme === traceScheme);
  if (front instanceof vscode.Uri) return targetAt(front);
  const groups = vscode.window.tabGroups.all;
  const shown = tracesIn(groups.flatMap(({ activeTab }) => activeTab ?? []));
  const open = shown.length > 0 ? shown : tracesIn(groups.flatMap(({ tabs }) => tabs));
  const [first, ...more] = open;
  if (first === undefined) {
    if (otherwise !== undefined) return otherwise();
    throw new Error(vscode.l10n.t('No trace is open: open the one to judge first.'));
  }
  if (more.length === 0) return targetAt(first);
  const items = open.map((one) => ({ label: targetAt(one).trace, description: targetAt(one).run, uri: one }));
  const picked = await vscode.window.showQuickPick(items, { title });
  return picked === undefined ? undefined : targetAt(picked.uri);
}

/** The one that is in front of an editor group; undefined where there is none, or several. */
export function shownTrace(): TraceTarget | undefined {
  const [only, ...more] = tracesIn(vscode.window.tabGroups.all.flatMap(({ activeTab }) => activeTab ?? []));
  return only !== undefined && more.length === 0 ? targetAt(only) : undefined;
}

/** Each once. */
function tracesIn(tabs: readonly vscode.Tab[]): vscode.Uri[] {
  const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const traces = uris.filter(({ scheme }) => scheme === traceScheme);
  return [...new Map(traces.map((uri) => [uri.toString(), uri])).values()];
}

function targetAt(uri: vscode.Uri): TraceTarget {
  const { run, id } = placeOf(uri);
  return { run, trace: id };
}
