/** The result of a domain's trial as a document: prompts, texts, tasks, attempts. */
import * as vscode from 'vscode';
import type { PosedTask } from '../../node/attemptTask.ts';
import type { WrittenTasks } from '../../node/writeTasks.ts';
import type { WatchedCall } from '../../../../domains/watchedFunctions.ts';
import type { Task } from '../../../../shared/records/task.ts';
import type { Trace } from '../../../../shared/records/trace.ts';
import { writeLines, writeSection } from '../../../../host/documents/layout/layout.ts';
import { columns, setIn } from '../../../../host/documents/layout/line.ts';
import { startOf } from '../../../../host/documents/layout/messages.ts';
import { Page, type LaidOut } from '../../../../host/documents/layout/page.ts';
import { attemptName } from '../../../../host/documents/layout/taskLayout.ts';
import { endWord, judgedWord, tokenWords } from '../../../../host/documents/layout/verdictWords.ts';
import { writeMessages, writeTools } from '../../../../host/documents/layout/writtenMessages.ts';
import { writeText } from '../../../../host/documents/layout/writtenText.ts';
import { number, rate } from '../../../../shared/text/figures/numbers.ts';
import { parts } from '../../../../host/trees/words.ts';
import { inWords } from '../../../../shared/journal/recordedWords.ts';

/** Texts of an environment policy, each with its result. */
export function layWritten(
  { seed, version, tasks, unanswered, stopped }: WrittenTasks,
  domain: string,
  calls: readonly WatchedCall[],
): LaidOut {
  const page = new Page();
  const accepted = tasks.filter(({ status }) => status === 'accepted').length;
  const title = vscode.l10n.t('{0}: {1} of {2} texts are tasks', domain, accepted, tasks.length);
  page.part({ kind: 'document', title }, () => {
    page.write(title);
    page.write(
      columns([
        [vscode.l10n.t('varied'), parts(seed.id, startOf(seed.prompt.at(-1)?.content ?? ''))],
        [vscode.l10n.t('written by'), version],
        [vscode.l10n.t('not answered'), unanswered?.causes.map(({ cause }) => cause).join(' ')],
        [vscode.l10n.t('stopped'), stopped ? vscode.l10n.t('before all were written') : null],
      ]),
    );
  });
  const context = tasks[0]?.generation?.context ?? [];
  if (context.length > 0) {
    writeSection(page, vscode.l10n.t('How the environment policy was asked'), () => writeMessages(page, context, null));
  }
  for (const [at, task] of tasks.entries()) writeWritten(page, task, at + 1);
  writePrinted(page, calls);
  return page.done();
}

function writeWritten(page: Page, task: Task, place: number): void {
  const { generation, status, note, cause, prompt, tools = [], gold, evaluation, complexity, plan } = task;
  const what = status === 'accepted' ? vscode.l10n.t('a task') : vscode.l10n.t('rejected: {0}', note ?? cause ?? '–');
  writeSection(page, parts(vscode.l10n.t('Text {0}', place), startOf(what, 50)), () => {
    if (plan !== '') block(page, vscode.l10n.t('plan'), plan);
    block(page, vscode.l10n.t('as it was written'), generation?.text ?? '');
    page.write('');
    if (status !== 'accepted') {
      page.write(columns([[vscode.l10n.t('rejected'), parts(note ?? '–', cause ?? null)]]));
      if (prompt.length === 0) return;
      page.write('');
    }
    page.part({ kind: 'message', title: vscode.l10n.t('the task') }, () => {
      page.write(vscode.l10n.t('the task'));
      writeMessages(page, prompt, null);
    });
    if (tools.length > 0) writeTools(page, tools);
    const measures = Object.entries(complexity).map(([name, value]) => `${name} ${number(value)}`);
    page.write(
      '',
      columns([
        [vscode.l10n.t('gold'), startOf(gold ?? '–')],
        [vscode.l10n.t('judged by'), evaluation.kind],
        [vscode.l10n.t('complexity'), measures.join(' · ')],
      ]),
    );
  });
}

function block(page: Page, title: string, text: string): void {
  page.part({ kind: 'message', title, detail: startOf(text) }, () => {
    page.write(title);
    writeText(page, { text, place: null });
  });
}

/** Attempts at one task, each with its verdict and the whole conversation. */
export function layPosed(
  { task, prompt, version, traces, missing }: PosedTask,
  domain: string,
  calls: readonly WatchedCall[],
): LaidOut {
  const page = new Page();
  const solved = traces.filter(({ verdict }) => verdict.success).length;
  const title = vscode.l10n.t('{0}: {1} of {2} attempts solved', domain, solved, traces.length);
  page.part({ kind: 'document', title }, () => {
    page.write(title);
    page.write(
      columns([
        [vscode.l10n.t('task'), task.id],
        [vscode.l10n.t('attempted by'), version],
        [vscode.l10n.t('judged by'), task.evaluation.kind],
        [vscode.l10n.t('missing'), missing],
      ]),
    );
  });
  writeSection(page, vscode.l10n.t('What the agent read'), () => writeMessages(page, prompt, null));
  const { tools = [], gold } = task;
  if (tools.length > 0) writeSection(page, vscode.l10n.t('Tools'), () => writeTools(page, tools));
  writeLines(page, vscode.l10n.t('Gold'), gold === null || gold === '' ? [] : setIn(gold));
  for (const trace of traces) writeAttempt(page, trace);
  writePrinted(page, calls);
  return page.done();
}

function writeAttempt(page: Page, trace: Trace): void {
  const { id, verdict, messages, stopReason } = trace;
  const judged = judgedWord(verdict);
  writeSection(page, parts(vscode.l10n.t('Attempt {0}', attemptName(id)), judged), () => {
    const own = Object.entries(verdict.parts ?? {});
    page.write(
      columns([
        [vscode.l10n.t('verdict'), parts(judged, inWords(verdict.note ?? ''))],
        [vscode.l10n.t('reward'), verdict.error === undefined ? rate(verdict.reward) : null],
        ...own.map(([name, value]): [string, string] => [name, number(value)]),
        [vscode.l10n.t('checker'), verdict.error],
        [vscode.l10n.t('length'), parts(tokenWords(trace), endWord(stopReason))],
      ]),
      '',
    );
    writeMessages(page, messages, null);
  });
}

/** The output of functions by their names, and where they failed. */
function writePrinted(page: Page, calls: readonly WatchedCall[]): void {
  const printed = calls.filter(({ output }) => output !== '');
  if (printed.length === 0) return;
  writeSection(page, vscode.l10n.t('Printed'), () => {
    for (const { name, output } of printed) page.write(name, setIn(output.trimEnd()));
  });
}
