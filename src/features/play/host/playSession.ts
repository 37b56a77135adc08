/** One attempt of a person as it goes: what the page shows of it, and the turns that it takes. */
import type { Clock, Log } from '../../../engine/ports.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import { callText } from '../../../launch/domains/callText.ts';
import { toolsOf } from '../../../launch/domains/toolsOf.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { speaker } from '../../../host/documents/layout/messages.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Play } from '../../../shared/records/play.ts';
import { argumentsOf, shownTool } from '../core/toolForm.ts';
import type { Question } from '../core/personPolicy.ts';
import type { PlayView } from '../contract.ts';
import { keepDraft, playOn, type OpenPlay } from '../node/play.ts';
import { noteWords } from '../../../host/documents/layout/verdictWords.ts';
import { isPoolable, verdictWord } from '../../../shared/records/verdict.ts';
import { inReadersLanguage } from '../../../launch/language.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';
import { InTurn } from '../../../shared/inTurn.ts';

export interface SessionNeeds {
  dist: URL;
  clock: Clock;
  log: Log;
  keys: Keys;
  /** Tells it from other runs of its experiment. */
  runName: string;
  changed: (view: PlayView) => void;
}

export class PlaySession {
  readonly #run: RunReader;
  readonly #open: OpenPlay;
  readonly #needs: SessionNeeds;
  readonly #leaving = new AbortController();
  #asked: { question: Question; answer: (text: string) => void } | null = null;
  #view: PlayView;
  readonly #inTurn = new InTurn();

  constructor(run: RunReader, open: OpenPlay, needs: SessionNeeds) {
    this.#run = run;
    this.#open = open;
    this.#needs = needs;
    const { play, task } = open;
    this.#view = {
      ...{ run: run.dir, runName: needs.runName, task: play.task, play: play.id, state: 'working' },
      ...{ said: [], tools: toolsOf(task).map(shownTool), turn: play.turns.length + 1, draft: play.draft },
      ...{ verdict: null, note: null },
    };
  }

  get view(): PlayView {
    return this.#view;
  }

  /** Runs until the attempt has ended or the person leaves. @returns the attempt; null where its tools failed */
  async run(): Promise<Play | null> {
    const { dist, clock, log, keys } = this.#needs;
    try {
      const ended = await playOn(this.#run, this.#open, {
        ...{ dist, clock, log, keys, signal: this.#leaving.signal },
        ask: inReadersLanguage((question, signal) => this.#ask(question, signal)),
      });
      if (ended.trace !== null) this.#ended(ended);
      return ended;
    } catch (error) {
      this.#show({ state: 'failed', note: inWords(messageOf(error)) });
      return null;
    }
  }

  /** Takes the turn; nothing where none is asked for. */
  send(text: string): void {
    const asked = this.#asked;
    if (asked === null) return;
    this.#asked = null;
    const said = [...this.#view.said, { speaker: this.#open.play.author, text, own: true }];
    this.#show({ state: 'working', said, draft: '' });
    asked.answer(text);
  }

  /** Keeps what is being written. @throws RunError */
  async draft(text: string): Promise<void> {
    if (this.#asked === null) return;
    this.#view = { ...this.#view, draft: text };
    await this.#inTurn.run(() => keepDraft(this.#run, this.#open.play, text));
  }

  /** A filled form as the agent would write it, after the turn as it is. */
  call(name: string, fields: Readonly<Record<string, string>>, draft: string): string {
    const tool = this.#view.tools.find((one) => one.name === name);
    if (tool === undefined) return draft;
    const own = this.#view.said.filter((one) => one.own).map(({ text }) => text);
    const said = [...own, draft].join('\n');
    const text = callText(this.#open.task, { name, given: argumentsOf(tool, fields) }, said);
    const between = draft === '' || /\s$/.test(draft) ? '' : text.startsWith('<') ? '\n' : ' ';
    return `${draft}${between}${text}`;
  }

  /** The turns, and the one that is being written, stay kept. */
  async leave(): Promise<void> {
    this.#leaving.abort(new Error('The person left.'));
    await this.#inTurn.ended();
  }

  #ask(question: Question, signal: AbortSignal): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#asked = { question, answer: resolve };
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    const { tools } = question;
    this.#show({
      state: 'asking',
      said: question.messages.map((message) => this.#saidOf(message)),
      turn: question.turn + 1,
      ...(tools !== undefined && { tools: tools.map(shownTool) }),
    });
    return promise;
  }

  #ended({ trace }: Play): void {
    if (trace === null) return;
    const { verdict, messages } = trace;
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    const said = messages.slice(last + 1).map((message) => this.#saidOf(message));
    this.#show({
      ...{
        state: 'ended',
        said: [...this.#view.said, ...said],
        note: noteWords(verdict),
      },
      verdict: {
        word: verdictWord(verdict),
        reward: verdict.reward,
        valid: isPoolable(verdict),
        gold: this.#open.task.gold,
      },
    });
  }

  #saidOf(message: Message): PlayView['said'][number] {
    const own = message.role === 'assistant';
    return { speaker: own ? this.#open.play.author : speaker(message), text: message.content, own };
  }

  #show(change: Partial<PlayView>): void {
    this.#view = { ...this.#view, ...change };
    this.#needs.changed(this.#view);
  }
}
