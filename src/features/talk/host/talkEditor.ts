/** A conversation with checkpoints: a custom text editor, so that the file is saved, undone and compared as any file. */
import { basename, dirname, resolve } from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { speaker } from '../../../host/documents/layout/messages.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { runLog } from '../../../host/feedback/log.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import { versionsOf } from '../../../launch/policies/versionsOf.ts';
import { editedTask } from '../../../launch/taskEdits.ts';
import { readRunName } from '../../../runs/store/runName.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Verdict } from '../../../shared/records/trace.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import { judge, say, settings, shown, stop, type ShownVerdict, type TalkView } from '../contract.ts';
import { awaitsPrompt, continued, notesOf, readTalk, talkText, type Talk } from '../core/talk.ts';
import { Talker } from '../node/talker.ts';
import { verdictWord } from '../../../shared/records/verdict.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';
import { InTurn } from '../../../shared/inTurn.ts';

export interface TalkNeeds {
  extensionUri: vscode.Uri;
  folders: RunFolders;
  log: vscode.LogOutputChannel;
  clock: Clock;
  dist: URL;
  keys: Keys;
}

/** The run of a conversation, opened. */
interface Opened {
  dir: string;
  run: RunReader;
  talker: Talker;
  versions: string[];
}

export class TalkEditor {
  readonly #document: vscode.TextDocument;
  readonly #needs: TalkNeeds;
  readonly #channel: Channel;
  readonly #closing = new AbortController();
  readonly #subscriptions: vscode.Disposable[];
  #opened: { dir: string; run: Promise<Opened> } | null = null;
  #prompt: { of: string; messages: readonly Message[] } | null = null;
  #answering: AbortController | null = null;
  readonly #inTurn = new InTurn();
  #doing: 'answering' | 'judging' = 'answering';
  #trouble = '';

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, needs: TalkNeeds) {
    this.#document = document;
    this.#needs = needs;
    this.#channel = mountPage(panel.webview, {
      extensionUri: needs.extensionUri,
      name: 'talk',
      title: basename(document.uri.path),
      log: needs.log,
      onOpen: () => void this.#show(),
    });
    this.#channel.handle(say, async ({ text }) => {
      await this.#say(text);
      return null;
    });
    this.#channel.handle(judge, async () => {
      await this.#work('judging', (talk, talker, signal) => talker.judge(talk, signal));
      return null;
    });
    this.#channel.handle(settings, async (changed) => {
      await this.#change((talk) => talk && { ...talk, ...changed });
      return null;
    });
    this.#channel.on(stop, () => this.#answering?.abort(new Error('Stopped.')));
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed === document) void this.#show();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#show()),
    ];
  }

  async dispose(): Promise<void> {
    for (const one of this.#subscriptions) one.dispose();
    this.#channel.dispose();
    this.#closing.abort(new Error('Closed.'));
    await this.#close();
  }

  get #read() {
    return readTalk(this.#document.getText());
  }

  async #say(text: string | null): Promise<void> {
    await this.#work('answering', async (talk, talker, signal) => {
      const answered = await talker.answer(talk, text, signal);
      this.#trouble = answered.failures.flatMap((one) => (one === null ? [] : [inWords(one)])).join(' ');
      return answered.talk;
    });
  }

  async #work(
    what: 'answering' | 'judging',
    work: (talk: Talk, talker: Talker, signal: AbortSignal) => Promise<Talk>,
  ): Promise<void> {
    requireTrust();
    const { talk } = this.#read;
    if (talk === null || this.#answering !== null) return;
    this.#doing = what;
    const answering = new AbortController();
    this.#answering = answering;
    this.#trouble = '';
    await this.#show();
    try {
      const { talker } = await this.#open(talk);
      const signal = AbortSignal.any([answering.signal, this.#closing.signal]);
      const after = await work(talk, talker, signal);
      await this.#change((now) => continued(talk, after, now));
    } catch (error) {
      if (!answering.signal.aborted) throw error;
    } finally {
      this.#answering = null;
      await this.#show();
    }
  }

  /** The run that the file names, with its policies. @throws RunError */
  async #open(talk: Talk): Promise<Opened> {
    const dir = resolve(dirname(this.#document.uri.fsPath), talk.run);
    if (this.#opened?.dir !== dir) {
      await this.#close();
      const run = this.#reader(dir);
      this.#opened = { dir, run };
      run.catch(() => (this.#opened = null));
    }
    return this.#opened.run;
  }

  async #reader(dir: string): Promise<Opened> {
    const { folders, log, clock, dist, keys } = this.#needs;
    const { store, id } = await folders.locate(dir);
    const run = await store.openReader(id);
    const talker = new Talker(run, { dist, clock, keys, log: runLog(log), signal: this.#closing.signal });
    const versions = (await versionsOf(run)).filter(({ kept }) => kept).map(({ version }) => version.name);
    return { dir, run, talker, versions };
  }

  async #close(): Promise<void> {
    const opened = await this.#opened?.run.catch(() => null);
    this.#opened = null;
    await opened?.talker.close();
    await opened?.run.close();
  }

  /** One change after the other, each of the document as it is by then. @param change null leaves it */
  async #change(change: (talk: Talk | null) => Talk | null): Promise<void> {
    await this.#inTurn.run(async () => {
      const talk = change(this.#read.talk);
      if (talk !== null) await this.#write(talk);
    });
  }

  async #write(talk: Talk): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    const end = this.#document.lineAt(this.#document.lineCount - 1).range.end;
    edit.replace(this.#document.uri, new vscode.Range(new vscode.Position(0, 0), end), talkText(talk));
    if (!(await vscode.workspace.applyEdit(edit))) {
      throw new Error(vscode.l10n.t('The editor did not take the change; the file may be read-only.'));
    }
  }

  async #show(): Promise<void> {
    try {
      this.#channel.emit(shown, await this.#view());
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#channel.emit(shown, { ...nothing, trouble: inWords(messageOf(error)) });
    }
  }

  async #view(): Promise<TalkView> {
    const { talk, problem } = this.#read;
    if (talk === null) {
      return { ...nothing, trouble: vscode.l10n.t('This file holds no conversation: {0}', problem) };
    }
    const { policies, temperature, maxTokens, seed, task } = talk;
    const view: TalkView = {
      ...{ ...nothing, settings: { policies, temperature, maxTokens, seed }, task, versions: policies },
      exchanges: talk.exchanges.map(({ you, by: names, answers, verdicts }, at) => ({
        you: you === null ? null : { speaker: vscode.l10n.t('You'), text: you, own: true },
        answers: answers.map((turns, side) => {
          const by = names[side] ?? vscode.l10n.t('policy {0}', side + 1);
          const verdict = verdictOf(verdicts?.[side] ?? null);
          return { by, turns: turns.map((message) => turnOf(message, by)), notes: notesOf(talk, at, side), verdict };
        }),
      })),
    };
    if (!vscode.workspace.isTrusted) {
      return { ...view, trouble: vscode.l10n.t('Trust this folder to talk: nothing runs in Restricted Mode.') };
    }
    const { run, versions } = await this.#open(talk);
    return {
      ...view,
      versions: [...new Set([...versions, ...policies])],
      runName: await readRunName(run),
      prompt: (await this.#promptOf(run, task)).map((message) => turnOf(message, '')),
      state: this.#answering !== null ? this.#doing : awaitsPrompt(talk) ? 'prompt' : 'ready',
      trouble: this.#trouble,
    };
  }

  /** As recorded: no program of a task's domain runs for it. */
  async #promptOf(run: RunReader, task: string | null): Promise<readonly Message[]> {
    if (task === null) return [];
    const of = `${run.dir}\n${task}`;
    if (this.#prompt?.of !== of) this.#prompt = { of, messages: (await editedTask(run, task)).task.prompt };
    return this.#prompt.messages;
  }
}

const nothing: TalkView = {
  ...{ settings: null, runName: '', task: null, versions: [], prompt: [], exchanges: [] },
  ...{ state: 'blocked', trouble: '' },
};

const turnOf = (message: Message, by: string): TalkView['prompt'][number] => ({
  ...{ speaker: message.role === 'assistant' ? by : speaker(message), text: message.content, own: false },
});

function verdictOf(verdict: Verdict | null): ShownVerdict | null {
  if (verdict === null) return null;
  const { reward, parts = {}, note, error } = verdict;
  return { word: verdictWord(verdict), reward, note: error ?? note ?? null, parts: Object.entries(parts) };
}
