/** Rewards that have cases, and each case at its line, as the Test Explorer lists them. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { caseName, identified, readCases, type CaseLine } from '../../../../shared/rewards/cases.ts';
import { codeOf } from '../../../../shared/systemError.ts';
import { currentText } from '../../../../host/currentText.ts';
import { rewardPattern } from '../../../../host/files/rewardFiles.ts';
import { casesOf, casesPattern, isCases, rewardsOf } from './caseFiles.ts';

/** Milliseconds without a change after which a file is read. */
const pause = 200;

/** A reward and its cases, by their items. */
interface Listed {
  reward: vscode.Uri;
  /** Null until somebody asked for them. */
  lines: ReadonlyMap<vscode.TestItem, CaseLine> | null;
}

export class CaseItems implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #listed = new WeakMap<vscode.TestItem, Listed>();
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #subscriptions: vscode.Disposable;

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
    controller.resolveHandler = async (item) => {
      if (item !== undefined) await this.read(item);
    };
    const cases = vscode.workspace.createFileSystemWatcher(casesPattern, false, false, true);
    const rewards = vscode.workspace.createFileSystemWatcher(rewardPattern, false, true, true);
    // Of a folder that goes with everything in it, only the folder is told.
    const gone = vscode.workspace.createFileSystemWatcher('**', true, true, false);
    const soon = (uri: vscode.Uri): void => this.#soon(uri);
    this.#subscriptions = vscode.Disposable.from(
      ...[cases, cases.onDidCreate(soon), cases.onDidChange(soon)],
      ...[rewards, rewards.onDidCreate(soon)],
      ...[gone, gone.onDidDelete((uri) => this.#gone(uri))],
      vscode.workspace.onDidOpenTextDocument(({ uri }) => soon(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => soon(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => soon(uri)),
    );
  }

  /** Of a reward; null for what is none. */
  rewardOf(item: vscode.TestItem): vscode.Uri | null {
    return this.#listed.get(item)?.reward ?? null;
  }

  /** What a reward’s item was last seen to hold, each case by its item. */
  linesOf(item: vscode.TestItem): ReadonlyMap<vscode.TestItem, CaseLine> {
    return this.#listed.get(item)?.lines ?? new Map();
  }

  /** Lists the rewards of a file of cases, as far as both are there. */
  async list(cases: vscode.Uri): Promise<void> {
    const there = await exists(cases);
    const open = vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === cases.toString());
    for (const reward of rewardsOf(cases)) {
      const id = reward.toString();
      if (!there || !(await exists(reward))) {
        this.#controller.items.delete(id);
        continue;
      }
      const known = this.#controller.items.get(id);
      const item = known ?? this.#add(reward);
      // A file in front has its marks at once; of the others only their names are needed.
      if (open || this.#listed.get(item)?.lines !== null) await this.read(item);
    }
  }

  /** Reads the cases of a reward’s item, as they are in the editor. */
  async read(item: vscode.TestItem): Promise<void> {
    const listed = this.#listed.get(item);
    if (listed === undefined) return;
    const cases = casesOf(listed.reward);
    const text = await textOf(cases);
    const lengths = text.split('\n').map(({ length }) => length);
    const found = new Map<vscode.TestItem, CaseLine>();
    for (const [id, line] of identified(readCases(text))) {
      const known = item.children.get(id);
      const child = known ?? this.#controller.createTestItem(id, '', cases);
      child.label = 'case' in line ? caseName(line.case) : vscode.l10n.t('Line {0} holds no case', line.line);
      child.error = 'case' in line ? undefined : line.fault;
      child.range = new vscode.Range(line.line - 1, 0, line.line - 1, lengths[line.line - 1] ?? 0);
      found.set(child, line);
    }
    listed.lines = found;
    item.children.replace([...found.keys()]);
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#subscriptions.dispose();
  }

  #add(reward: vscode.Uri): vscode.TestItem {
    const item = this.#controller.createTestItem(reward.toString(), basename(reward.path), reward);
    item.description = vscode.workspace.asRelativePath(vscode.Uri.joinPath(reward, '..'));
    item.canResolveChildren = true;
    this.#listed.set(item, { reward, lines: null });
    this.#controller.items.add(item);
    return item;
  }

  /** @param uri of a file, or of a folder with all that was in it */
  #gone({ path }: vscode.Uri): void {
    for (const [, item] of this.#controller.items) {
      const reward = this.rewardOf(item);
      if (reward === null) continue;
      const lay = [reward, casesOf(reward)].some((uri) => uri.path === path || uri.path.startsWith(`${path}/`));
      if (lay) this.#soon(reward);
    }
  }

  /** @param uri of cases, or of a reward that came or went */
  #soon(uri: vscode.Uri): void {
    const cases = isCases(uri) ? uri : casesOf(uri);
    if (!isCases(cases)) return;
    const key = cases.toString();
    clearTimeout(this.#waiting.get(key));
    this.#waiting.set(
      key,
      setTimeout(() => {
        this.#waiting.delete(key);
        void this.list(cases);
      }, pause),
    );
  }
}

/** '' when it is gone. */
async function textOf(uri: vscode.Uri): Promise<string> {
  try {
    return await currentText(uri);
  } catch (error) {
    if (codeOf(error) !== 'FileNotFound') throw error;
    return '';
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'FileNotFound') throw error;
    return false;
  }
}
