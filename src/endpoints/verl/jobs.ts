/** Training jobs of one policy: what each is given, how it is followed, and what it leaves. */
import * as l10n from '@vscode/l10n';
import type { JobOutcome, JobProgress, TrainingJob } from '../../engine/ports.ts';
import { largest } from '../../shared/extremes.ts';
import { EndpointError } from '../endpointError.ts';
import { checkAdapter } from './files/adapterFiles.ts';
import { agentSteps, answerBound } from './files/agentFigures.ts';
import { agentSettings } from './files/agentSettings.ts';
import { JobSupervision } from './jobSupervision.ts';
import { readAttempts } from './dump.ts';
import { environmentSettings } from './files/environmentSettings.ts';
import { overridesOf } from './files/hydra.ts';
import { alphaOf, placeOf, type Place } from './files/jobSettings.ts';
import { finishScript, jobScript } from './files/jobScript.ts';
import { lastOf, metricsOfFile, metricsOfLog, rowsTold, toldBy, type StepMetrics } from './metrics.ts';
import type { VerlPolicyParts } from './files/parts.ts';
import { rewardFile } from './files/rewardFile.ts';
import { agentRows, environmentRows, noPlaceFor } from './files/rows.ts';

type Finished = Omit<JobOutcome, 'version' | 'checkpoint'> & { adapter: string };

export class Jobs {
  readonly #parts: VerlPolicyParts;

  constructor(parts: VerlPolicyParts) {
    this.#parts = parts;
  }

  /** @param adapter folder that the job starts from; null: the base model */
  async run(
    job: TrainingJob,
    adapter: string | null,
    signal: AbortSignal,
    onProgress: (progress: JobProgress) => void = () => undefined,
  ): Promise<Finished> {
    const { endpoint, files } = this.#parts;
    this.#refuse(job);
    // One that divides badly is refused before anything is written.
    const steps = this.#stepsOf(job);
    const following = new Following(this.#parts);
    const plan = {
      job: job.name,
      placeOf: (attempt: number) => this.#placeOf(job, attempt),
      prepare: async ({ id, folder }: { id: string; folder: string }) => {
        const place = placeOf(id, folder, job.kind);
        await this.#write(job, place, adapter);
        return {
          // Without UTF-8, Python writes dumps and prints as the node's locale has it.
          environment: {
            ...{ VERL_FILE_LOGGER_PATH: place.metrics, HYDRA_FULL_ERROR: '1' },
            ...{ PYTHONUNBUFFERED: '1', PYTHONUTF8: '1' },
          },
          about: { genenv_run: this.#parts.run, phase: job.kind, epoch: String(job.epoch) },
        };
      },
    };
    const ended = await new JobSupervision(this.#parts, plan, signal).finish(async ({ id, folder }, state, printed) => {
      const step = state === 'queued' ? 0 : await following.step(placeOf(id, folder, job.kind), printed, signal);
      // A GRPO job is one step of verl, with several of the optimiser in it.
      onProgress({ state, step, steps: job.kind === 'agent' ? 1 : steps });
    });
    const place = placeOf(ended.id, ended.folder, job.kind);
    await checkAdapter(files, place.adapter, endpoint.rank, this.#parts.launcher.url);
    const metrics = await following.all(place, signal);
    if (job.kind === 'environment') return { ...this.#told(place, metrics), attempts: [], steps };
    const attempts = await readAttempts(files, place, job.rollouts.group, this.#parts.launcher.url);
    await this.#compareRows(place, job.tasks.length, signal);
    return { ...this.#told(place, metrics), attempts, steps };
  }

  #told({ id, adapter }: Place, metrics: readonly StepMetrics[]) {
    const last = lastOf(metrics);
    return { id, adapter, metrics: last, told: toldBy(last) };
  }

  #placeOf({ name }: TrainingJob, attempt: number): { id: string; folder: string } {
    const { run, endpoint } = this.#parts;
    const again = attempt === 1 ? '' : `.${attempt}`;
    const folder = `${endpoint.workdir.replace(/\/+$/, '')}/${plainName(run)}/${plainName(name)}${again}`;
    return { id: `genenv-${plainName(run)}-${plainName(name)}${again}`, folder };
  }

  async #write(job: TrainingJob, place: Place, adapter: string | null): Promise<void> {
    const { files, endpoint, scorer } = this.#parts;
    const { model, rank, workdir, overrides } = endpoint;
    const settings =
      job.kind === 'agent'
        ? agentSettings(job, endpoint, place, adapter)
        : environmentSettings(job, endpoint, place, adapter);
    if (job.kind === 'agent') {
      await files.write(place.rows, agentRows(job.tasks));
      await files.write(place.reward, rewardFile(scorer, model, answerBound(job, endpoint)));
    } else await files.write(place.rows, await environmentRows(job.examples));
    await files.write(place.finish, finishScript(place, model, rank, alphaOf(endpoint, job.kind)));
    await files.write(place.script, jobScript(job.kind, overridesOf(settings, overrides), place, workdir));
  }

  /** Optimiser steps that a job makes. */
  #stepsOf(job: TrainingJob): number {
    if (job.kind === 'environment') return job.examples.length / job.settings.minibatch;
    return agentSteps(job, this.#parts.endpoint).steps;
  }

  #refuse(job: TrainingJob): void {
    const missing = job.kind === 'agent' ? noPlaceFor(job) : null;
    if (missing === null) return;
    throw new EndpointError('unable', missing, {
      ...{ endpoint: this.#parts.launcher.url, request: l10n.t('job {0}', job.name), attempts: 0 },
      remedy: l10n.t('Describe the tools in the task’s messages, or choose an endpoint that trains step by step.'),
    });
  }

  /** Rows that verl cannot render, or finds too long, are dropped without a message. */
  async #compareRows(place: Place, sent: number, signal: AbortSignal): Promise<void> {
    const { launcher, log } = this.#parts;
    const kept = rowsTold(await launcher.log(place, 0, signal));
    if (kept === null || kept === sent) return;
    log.warn(
      `Job ${place.id} kept ${kept} of ${sent} tasks. verl leaves out what it cannot render or finds longer than ` +
        'data.max_prompt_length: see its log.',
    );
  }
}

/** Milliseconds between two questions for what a job prints, where it does not come by itself: Ray gives all of it, every time. */
const betweenLogs = 60_000;

/** How far a running job is. */
class Following {
  readonly #parts: VerlPolicyParts;
  #job = '';
  #read = 0;
  /** By request: bytes read, and when. */
  #asked = { bytes: 0, at: 0 };
  /** The beginning of a line that is not whole yet. */
  #line = '';
  #step = 0;

  constructor(parts: VerlPolicyParts) {
    this.#parts = parts;
  }

  /** The newest step, from what has come since the last look. @param printed since then; null when it does not come by itself */
  async step(place: Place, printed: string | null, signal: AbortSignal): Promise<number> {
    // Its cluster may have lost the one before.
    if (place.id !== this.#job) this.#begin(place.id);
    if (printed !== null) this.#newest(metricsOfLog(this.#whole(printed)));
    const fresh = await this.#parts.files.read(place.metrics, this.#read);
    if (fresh === null) return printed === null ? this.#stepAsked(place, signal) : this.#step;
    const text = wholeLines(fresh.toString());
    this.#read += Buffer.byteLength(text);
    return this.#newest(metricsOfFile(text));
  }

  #begin(job: string): void {
    this.#job = job;
    this.#read = 0;
    // Nothing has come before the first lines are printed: that is no reason to ask.
    this.#asked = { bytes: 0, at: this.#parts.time.now() };
    this.#line = '';
    this.#step = 0;
  }

  #whole(printed: string): string {
    const held = this.#line + printed;
    const text = wholeLines(held);
    this.#line = held.slice(text.length);
    return text;
  }

  async #stepAsked(place: Place, signal: AbortSignal): Promise<number> {
    const { launcher, time } = this.#parts;
    if (time.now() - this.#asked.at < betweenLogs) return this.#step;
    this.#asked.at = time.now();
    const text = wholeLines(await launcher.log(place, this.#asked.bytes, signal));
    this.#asked.bytes += Buffer.byteLength(text);
    return this.#newest(metricsOfLog(text));
  }

  #newest(steps: readonly StepMetrics[]): number {
    this.#step = Math.max(this.#step, largest(steps.map(({ step }) => step)));
    return this.#step;
  }

  /** Every step of a finished job. */
  async all(place: Place, signal: AbortSignal): Promise<StepMetrics[]> {
    const { files, launcher } = this.#parts;
    const written = await files.read(place.metrics);
    const steps = written === null ? [] : metricsOfFile(written.toString());
    return steps.length > 0 ? steps : metricsOfLog(await launcher.log(place, 0, signal));
  }
}

const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

/** A part of a path, of a job's name and of a command line. */
const plainName = (name: string): string => name.replaceAll(/[^\w.-]/g, '-');
