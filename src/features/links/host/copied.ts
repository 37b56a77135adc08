/** A task or trace for the clipboard: its record as JSON, its document as Markdown, its address. */
import * as vscode from 'vscode';
import { append } from '../../../shared/append.ts';
import type { LaidOut, Part } from '../../../host/documents/layout/page.ts';
import { placeOf, taskScheme, traceScheme } from '../../../host/documents/layout/place.ts';
import { knownTask, readTask, readTrace, traceOf } from '../../../host/documents/reading.ts';
import { fenced, inlineMarkdown } from '../../../shared/text/markdown.ts';
import { defined } from '../../../shared/defined.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import { runTargetSchema, type RunTarget } from '../../../host/trees/target.ts';
import { linkTo } from '../contract.ts';

/** The place for a command: a node of the tree, a document, else the one in front. @throws Error when there is none */
export function copiedPlace(argument: unknown): RunTarget {
  const uri = argument instanceof vscode.Uri ? argument : null;
  const given = uri === null ? runTargetSchema.safeParse(argument) : null;
  if (given?.success === true) return given.data;
  const shown = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (shown?.scheme !== taskScheme && shown?.scheme !== traceScheme) {
    throw new Error(vscode.l10n.t('No task or trace is open.'));
  }
  const { run, id, at } = placeOf(shown);
  if (shown.scheme === traceScheme) return { run, trace: id };
  return { run, task: id, ...defined({ epoch: at }) };
}

/** The stored record. @throws RunError, InputError; Error when there is none */
export async function asJson(open: OpenRuns, { run, task = '', trace }: RunTarget): Promise<string> {
  const opened = await open.open(run);
  const record = trace === undefined ? await knownTask(opened, task) : await traceOf(opened, trace);
  return JSON.stringify(record, null, 2);
}

/** The document, its parts as headings. @throws RunError, InputError; Error when there is none */
export async function asMarkdown(open: OpenRuns, { run, task = '', trace, epoch }: RunTarget): Promise<string> {
  const opened = await open.open(run);
  const laidOut =
    trace === undefined
      ? await readTask(opened, { run, id: task, ...defined({ at: epoch }) })
      : await readTrace(opened, { run, id: trace });
  return markdownOf(laidOut);
}

/** `vscode://genenv.genenv/run/…` */
export function asLink(target: RunTarget, extensionId: string): string {
  const { path, query } = linkTo(target);
  return vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: extensionId, path, query }).toString();
}

/** A document as Markdown: text below a heading is quoted literally. */
export function markdownOf({ text, parts }: LaidOut): string {
  const lines = text.split('\n');
  const quoted = (first: number, last: number): string[] => {
    const own = lines.slice(first, last + 1);
    while (own.at(-1) === '') own.pop();
    while (own[0] === '') own.shift();
    if (own.length === 0) return [];
    return ['', fenced(own.map((line) => line.replace(/^ {2}/, '')).join('\n'))];
  };
  const write = (part: Part, depth: number): string[] => {
    const written = ['', `${'#'.repeat(depth)} ${inlineMarkdown(part.title)}`];
    let from = part.first + 1;
    for (const inner of part.parts.filter(({ kind }) => kind !== 'attempt')) {
      append(written, quoted(from, inner.first - 1));
      append(written, write(inner, depth + 1));
      from = inner.last + 1;
    }
    return [...written, ...quoted(from, part.last)];
  };
  const all = parts.flatMap((part) => write(part, part.kind === 'document' ? 1 : 2));
  return `${all.join('\n').trim()}\n`;
}
