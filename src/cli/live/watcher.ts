/** How a run is shown while it goes: redrawn on a terminal, a line an epoch elsewhere, nothing for programs. */
import type { Log, Progress } from '../../engine/ports.ts';
import type { Landing } from '../../launch/launch.ts';
import type { RunState } from '../../engine/state.ts';
import { withChanges } from '../../shared/experiment/changeable.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { silenceInFull, type Silence } from '../../shared/text/silence.ts';
import type { Terminal } from '../terminal.ts';
import { style } from '../text/style.ts';
import { styled } from '../text/styled.ts';
import { frame } from './frame.ts';
import { liveState, onEvent, onProgress, type LiveState } from './liveState.ts';
import { Painter } from './painter.ts';
import { evaluationLine, judgeLine, plainLine, validationLine } from './plainLine.ts';

export interface Watcher extends Log {
  started(id: string, experiment: Experiment, state: RunState): void;
  event(event: JournalEvent, state: RunState): void;
  progress(progress: Progress): void;
  /** Servers that answer nothing now. */
  silent(silences: readonly Silence[]): void;
  /** A pause was requested. */
  pausing(): void;
  /** The end: the last frame stays. */
  close(state: Landing['state']): void;
}

/** How the picture ends. */
const endings: Record<Landing['state'], LiveState['ending']> = {
  finished: null,
  paused: 'paused',
  stopped: 'paused',
  interrupted: 'paused',
  failed: 'failed',
};

/** Milliseconds between pictures. */
const redraw = 100;

class LiveWatcher implements Watcher {
  readonly #terminal: Terminal;
  readonly #verbose: boolean;
  readonly #painter: Painter;
  #state: LiveState | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal, verbose: boolean) {
    this.#terminal = terminal;
    this.#verbose = verbose;
    this.#painter = new Painter(terminal.out);
  }

  started(id: string, experiment: Experiment, state: RunState): void {
    this.#state = liveState(id, experiment, state, this.#terminal.now());
    this.#timer = setInterval(() => this.#draw(), redraw);
    this.#draw();
  }

  event(event: JournalEvent, run: RunState): void {
    const failed = event.type === 'rollouts.finished' ? judgeLine(event) : null;
    if (failed !== null) this.warn(failed);
    if (this.#state !== null) this.#state = onEvent(this.#state, event, run, this.#terminal.now());
  }

  progress(progress: Progress): void {
    if (this.#state !== null) this.#state = onProgress(this.#state, progress, this.#terminal.now());
  }

  silent(silences: readonly Silence[]): void {
    if (this.#state !== null) this.#state = { ...this.#state, silences };
  }

  pausing(): void {
    if (this.#state !== null) this.#state = { ...this.#state, ending: 'pausing' };
    this.#draw();
  }

  info(message: string): void {
    if (this.#verbose) this.#painter.above(styled`${style.dim(message)}\n`);
  }

  warn(message: string): void {
    this.#painter.above(styled`${style.warn('warning:')} ${message}\n`);
  }

  close(state: Landing['state']): void {
    clearInterval(this.#timer);
    if (this.#state !== null) {
      this.#state = { ...this.#state, phases: [], silences: [], ending: endings[state] };
    }
    this.#draw();
    this.#painter.finish();
    this.#state = null;
  }

  #draw(): void {
    if (this.#state === null) return;
    const { out } = this.#terminal;
    // The last row stays free for the cursor: a block as high as the terminal would scroll away.
    const canvas = { width: out.columns, height: out.rows - 1 };
    this.#painter.draw(frame(this.#state, this.#terminal.now(), canvas));
  }
}

class PlainWatcher implements Watcher {
  readonly #terminal: Terminal;
  readonly #verbose: boolean;
  #experiment: Experiment | null = null;
  /** Addresses whose silence was reported. */
  #silent: ReadonlySet<string> = new Set();

  constructor(terminal: Terminal, verbose: boolean) {
    this.#terminal = terminal;
    this.#verbose = verbose;
  }

  started(id: string, experiment: Experiment, { summaries }: RunState): void {
    this.#experiment = experiment;
    const done = summaries.length > 0 ? `, carried on after epoch ${summaries.length}` : '';
    this.#terminal.out.write(`${experiment.name}: mode ${experiment.mode}, run ${id}${done}\n`);
  }

  event(event: JournalEvent): void {
    if (this.#experiment === null) return;
    if (event.type === 'settings.changed')
      this.#experiment = withChanges(this.#experiment, event.changes) ?? this.#experiment;
    const { epochs, curriculum } = this.#experiment;
    if (event.type === 'epoch.finished') this.#terminal.out.write(`${plainLine(event.summary, epochs, curriculum)}\n`);
    else if (event.type === 'validated') this.#tell(validationLine(event));
    else if (event.type === 'evaluated') this.#terminal.out.write(`${evaluationLine(event)}\n`);
    else if (event.type === 'rollouts.finished') this.#tell(judgeLine(event));
    else if (event.type === 'run.finished') this.#tell(event.note);
  }

  #tell(line: string | null): void {
    if (line !== null) this.#terminal.out.write(`${line}\n`);
  }

  progress(): void {
    // A line an epoch is all that a log wants.
  }

  silent(silences: readonly Silence[]): void {
    for (const silence of silences)
      if (!this.#silent.has(silence.url)) this.warn(`no answer from ${silenceInFull(silence)}`);
    this.#silent = new Set(silences.map(({ url }) => url));
  }

  pausing(): void {
    this.#terminal.err.write('Pausing: finished rollouts are kept.\n');
  }

  info(message: string): void {
    if (this.#verbose) this.#terminal.err.write(`${message}\n`);
  }

  warn(message: string): void {
    this.#terminal.err.write(`warning: ${message}\n`);
  }

  close(): void {
    this.#experiment = null;
  }
}

/** `silent` for programs that read JSON: prints only warnings, on stderr. */
export function watcherFor(
  terminal: Terminal,
  { silent, plain, verbose }: { silent: boolean; plain: boolean; verbose: boolean },
): Watcher {
  if (silent) return new SilentWatcher(terminal);
  const live = terminal.out.isTTY && terminal.env['TERM'] !== 'dumb' && !plain;
  return live ? new LiveWatcher(terminal, verbose) : new PlainWatcher(terminal, verbose);
}

class SilentWatcher extends PlainWatcher {
  constructor(terminal: Terminal) {
    super({ ...terminal, out: { ...terminal.out, write: () => undefined } }, false);
  }
}
