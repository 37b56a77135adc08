/** A run in a process of its own, as the runner has it: a crash there costs one run. */
import { spawn, type ChildProcess } from 'node:child_process';
import { childSaysSchema, type ChildHears, type Landed, type Place } from '../contract.ts';

/** The variable by which a child is told its run. */
export const runVariable = 'GENENV_QUEUED_RUN';

export interface ChildNeeds {
  /** The program and its words; the run's id is in its environment. */
  command: readonly string[];
  root: string;
  run: string;
  /** Where its warnings go: a file's descriptor. */
  log: number | 'ignore';
  onPlace: (place: Place) => void;
}

/** Milliseconds after which a child that was asked to end is ended. */
const patience = 15_000;

export class ChildRun {
  readonly run: string;
  /** How it ended; never rejects. A process that did not say ended by a crash. */
  readonly landed: Promise<Omit<Landed, 'type'>>;
  readonly #process: ChildProcess;
  #place: Place | null = null;

  constructor({ command, root, run, log, onPlace }: ChildNeeds) {
    this.run = run;
    const [program = process.execPath, ...words] = command;
    this.#process = spawn(program, [...words, '--root', root], {
      stdio: ['ignore', log, log, 'ipc'],
      env: { ...process.env, [runVariable]: run },
    });
    let said: Omit<Landed, 'type'> | null = null;
    this.#process.on('message', (message) => {
      const heard = childSaysSchema.safeParse(message).data;
      if (heard?.type === 'landed') said = { how: heard.how, why: heard.why, epoch: heard.epoch };
      else if (heard !== undefined) {
        this.#place = heard.place;
        onPlace(heard.place);
      }
    });
    const crash = (why: string): Omit<Landed, 'type'> => ({ how: 'failed', why, epoch: this.#place?.epoch ?? 0 });
    this.landed = new Promise((resolve) => {
      this.#process.once('error', (error) => resolve(crash(`Its process could not be started: ${error.message}.`)));
      this.#process.once('exit', (code, signal) => {
        resolve(said ?? crash(`Its process ended ${signal === null ? `with code ${code ?? ''}` : `by ${signal}`}.`));
      });
    });
  }

  get place(): Place | null {
    return this.#place;
  }

  /** Asks it to end: as a pause that a person wanted, or to go on later. */
  end(how: ChildHears['type']): void {
    if (this.#process.connected) this.#process.send({ type: how });
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), patience);
    timer.unref();
    void this.landed.then(() => clearTimeout(timer));
  }
}
