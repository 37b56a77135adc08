import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { successRate } from '../../../src/engine/math/successRate.ts';
import { emptyState, openEpoch, type RunState } from '../../../src/engine/state.ts';
import { registerStatusBar } from '../../../src/host/feedback/statusBar.ts';
import type { ActiveRun, KnownRun, LandedRun, RunDir } from '../../../src/host/runs/runs.ts';
import { noLabel } from '../../../src/runs/store/runLabel.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { epochSummary } from '../../support/journal.ts';

const dir = '/runs/a';

class Window {
  readonly active = new Map<RunDir, ActiveRun>();
  readonly #progress = new vscode.EventEmitter<ActiveRun>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #landed = new vscode.EventEmitter<LandedRun>();
  readonly #heads = new vscode.EventEmitter<readonly RunDir[]>();
  readonly #list = new vscode.EventEmitter<void>();
  readonly onDidProgress = this.#progress.event;
  readonly onDidChangeActive = this.#changed.event;
  readonly onDidLand = this.#landed.event;
  readonly onDidChangeRuns = this.#heads.event;
  readonly onDidChangeList = this.#list.event;
  known: KnownRun | undefined;
  readonly shown = new Map<string, vscode.StatusBarItem>();

  readonly get = (): KnownRun | undefined => this.known;

  readonly make = (id: string): vscode.StatusBarItem => {
    const item = vscode.window.createStatusBarItem(id);
    this.shown.set(id, item);
    const dispose = item.dispose.bind(item);
    item.dispose = () => {
      this.shown.delete(id);
      dispose();
    };
    return item;
  };

  /** The texts of the items in sight. */
  get texts(): string[] {
    return [...this.shown.values()].map(({ text }) => text);
  }

  get tooltips(): string[] {
    return [...this.shown.values()].map(({ tooltip }) => (typeof tooltip === 'object' ? tooltip.value : ''));
  }

  is(state: KnownRun['head']['state'], writer: KnownRun['writer'], archived = false): void {
    const { embedded } = presets;
    this.known = {
      dir,
      writer,
      head: {
        ...{ id: 'a', name: 'demo', experiment: 'demo', label: { ...noLabel, archived }, mode: 'coevolve', state },
        ...{ imported: null, endpoints: embedded.endpoints, ending: null, epoch: 2, current: 3, epochs: 5 },
        ...{ startedAt: '2026-11-21T12:00:00.000Z', summary: null },
      },
    };
    this.#heads.fire([dir]);
  }

  runs(run: ActiveRun): void {
    this.active.set(dir, run);
    this.#changed.fire();
    this.#progress.fire(run);
  }

  lands(run: ActiveRun, state: LandedRun['landing']['state']): void {
    this.active.delete(dir);
    this.#changed.fire();
    this.#landed.fire({ run, landing: { id: 'a', state } });
  }
}

const summary = (epoch: number, successes: number) => epochSummary(epoch, { successRate: successRate(successes, 100) });

const runOf = (state: Partial<RunState>): ActiveRun => ({
  ...{ dir, experiment: { ...presets.embedded, epochs: 5 }, state: { ...emptyState, ...state } },
  ...{ secondsLeft: null, phases: [], pausing: 'no', loads: [], silences: [] },
  said: () => Promise.resolve(null),
});

const summaries = [summary(1, 20), summary(2, 40)];

describe('the status bar', () => {
  let window: Window;
  let registered: vscode.Disposable;

  beforeEach(() => {
    window = new Window();
    registered = registerStatusBar(window, window, window.make);
  });
  afterEach(() => {
    registered.dispose();
  });

  it('shows each success rate with the epoch that it was measured in', () => {
    window.runs(runOf({ summaries, open: openEpoch(3, 0) }));
    assert.deepEqual(window.texts, ['$(sync~spin) epoch 3/5 · starting · p̂ 0.40 in epoch 2']);
    window.runs(runOf({ summaries: [...summaries, summary(3, 60)] }));
    assert.deepEqual(window.texts, ['$(sync~spin) epoch 3/5 · starting · p̂ 0.60']);
  });

  it('shows which server answers nothing in place of the phase', () => {
    const silence = { url: 'http://gpu1:8000/v1', seconds: 48, what: 'connection | refused' };
    window.runs({ ...runOf({ summaries }), silences: [silence] });
    assert.deepEqual(window.texts, ['$(warning) epoch 2/5 · no answer from gpu1:8000 · p̂ 0.40']);
    const row = '| no answer&nbsp;&nbsp; | gpu1&#58;8000 for 48 s&#58; connection &#124; refused |';
    assert.ok(window.tooltips.join().includes(row), 'the server’s words break no table');
    window.runs({ ...runOf({ summaries }), silences: [silence, { ...silence, url: 'http://gpu2:8000' }] });
    assert.deepEqual(window.texts, ['$(warning) epoch 2/5 · no answer from 2 servers · p̂ 0.40']);
  });

  it('keeps a run that pauses until it resumes', () => {
    const run = runOf({ summaries, open: openEpoch(3, 0) });
    window.is('running', 'here');
    window.runs(run);
    window.lands(run, 'paused');
    const paused = ['$(debug-pause) epoch 3/5 · paused · p̂ 0.40 in epoch 2'];
    assert.deepEqual(window.texts, paused, 'the list of runs does not know it yet');
    window.is('paused', null);
    assert.deepEqual(window.texts, paused);
    window.runs(run);
    assert.match(window.texts.join(), /sync~spin/);
    window.lands(run, 'finished');
    assert.deepEqual(window.texts, []);
  });

  it('lets go of a paused run that is stopped, archived, removed, or resumed elsewhere', () => {
    const run = runOf({ summaries });
    const ends: (() => void)[] = [
      () => window.is('stopped', null),
      () => window.is('paused', null, true),
      () => window.is('running', 'elsewhere'),
      () => {
        window.known = undefined;
        window.runs(run);
        window.lands(run, 'stopped');
      },
    ];
    for (const end of ends) {
      window.is('paused', null);
      window.runs(run);
      window.lands(run, 'paused');
      assert.equal(window.texts.length, 1);
      end();
      assert.deepEqual(window.texts, []);
    }
  });
});
