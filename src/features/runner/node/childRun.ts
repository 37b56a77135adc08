/** A run in its own process, from the runner's side: a crash there affects one run. */
import { spawn, type ChildProcess } from 'node:child_process';
import * as l10n from '@vscode/l10n';
import type { SaidSoFar } from '../../../shared/records/saidSoFar.ts';
import { childSaysSchema, type ChildHears, type Grant, type Landed, type Place, type Work } from '../contract.ts';

/** The variable that passes a child its run. */
export const runVariable = 'GENENV_QUEUED_RUN';

/** The variables of a child that executes a study, or a run's part of one. */
export const [studyVariable, restVariable] = ['GENENV_QUEUED_STUDY', 'GENENV_QUEUED_REST'];

export interface ChildNeeds {
  /** The program and its words; the run's id is in its environment. */
  command: readonly string[];
  root: string;
  entry: Work;
  /** Where its warnings go: a file's descriptor. */
  log: number | 'ignore';
  /** Its grants; it begins once it has received them. */
  grants: readonly Grant[];
  onPlace: (place: Place) => void;
  /** Milliseconds that it may take to end once it was asked; 15 seconds when absent. */
  patience?: number;
}

/** Milliseconds after which a child that was asked to end is ended, unless said otherwise, and after which a question has no answer. */
const [mostPatience, answered] = [15_000, 3_000];

export class ChildRun {
  readonly run: string;
  /** How it ended; never rejects. A process that did not say ended by a crash, or as it was asked to. */
  readonly landed: Promise<Omit<Landed, 'type'>>;
  readonly #process: ChildProcess;
  readonly #patience: number;
  /** Questions without an answer yet, by their numbers. */
  readonly #questions = new Map<number, (said: SaidSoFar | null) => void>();
  #asked = 0;
  #ending: 'pause' | 'interrupt' | null = null;
  #place: Place | null = null;

  constructor({ command, root, entry, log, grants, onPlace, patience = mostPatience }: ChildNeeds) {
    this.#patience = patience;
    const { run, study, rest } = entry;
    this.run = run;
    const [program = process.execPath, ...words] = command;
    this.#process = spawn(program, [...words, '--root', root], {
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        ...process.env,
        [runVariable]: run,
        ...(study !== null && { [studyVariable]: study }),
        ...(rest !== null && { [restVariable]: JSON.stringify(rest) }),
      },
    });
    this.#send({ type: 'keys', grants: [...grants] });
    let said: Omit<Landed, 'type'> | null = null;
    this.#process.on('message', (message) => {
      const heard = childSaysSchema.safeParse(message).data;
      if (heard?.type === 'landed') said = { how: heard.how, why: heard.why, epoch: heard.epoch };
      else if (heard?.type === 'said') this.#questions.get(heard.question)?.(heard.said);
      else if (heard !== undefined) {
        this.#place = heard.place;
        onPlace(heard.place);
      }
    });
    const crash = (why: string): Omit<Landed, 'type'> => ({ how: 'failed', why, epoch: this.#place?.epoch ?? 0 });
    this.landed = new Promise((resolve) => {
      this.#process.once('error', (error) =>
        resolve(crash(l10n.t('Its process could not be started: {0}.', error.message))),
      );
      this.#process.once('exit', (code, signal) => {
        const epoch = this.#place?.epoch ?? 0;
        const how = this.#ending === 'pause' ? 'paused' : 'interrupted';
        const asked = this.#ending === null ? null : ({ how, why: '', epoch } as const);
        resolve(
          said ??
            asked ??
            crash(
              l10n.t(
                'Its process ended {0}.',
                signal === null ? l10n.t('with code {0}', code ?? '') : l10n.t('by {0}', signal),
              ),
            ),
        );
      });
    });
  }

  get place(): Place | null {
    return this.#place;
  }

  /** How it was asked to end: a pause holds against a later interrupt. */
  get asked(): 'pause' | 'interrupt' | null {
    return this.#ending;
  }

  /** Asks it to end: as a user's pause, or to be resumed later. */
  end(how: 'pause' | 'interrupt'): void {
    if (how === 'pause') this.#ending = 'pause';
    else this.#ending ??= 'interrupt';
    this.#send({ type: how });
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), this.#patience);
    timer.unref();
    void this.landed.then(() => clearTimeout(timer));
  }

  /** The newest turns in attempts at a task; null where it does not answer. */
  async said(task: string): Promise<SaidSoFar | null> {
    const question = (this.#asked += 1);
    const { promise, resolve } = Promise.withResolvers<SaidSoFar | null>();
    this.#questions.set(question, resolve);
    const timer = setTimeout(() => resolve(null), answered);
    this.#send({ type: 'said', question, task });
    try {
      return await Promise.race([promise, this.landed.then(() => null)]);
    } finally {
      clearTimeout(timer);
      this.#questions.delete(question);
    }
  }

  /** A dead child is reported by its exit. */
  #send(message: ChildHears): void {
    if (this.#process.connected) this.#process.send(message, () => undefined);
  }
}
