/**
 * Jobs on a Ray cluster, by the REST API of its dashboard. Its quirks (verl-ray.md §6): what looks like a browser is
 * refused, so nothing of `fetch` is used; errors are plain text; `/api/jobs/` wants its slash.
 */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../../endpointError.ts';
import type { HttpClient, Listener } from '../../http/httpClient.ts';
import { sendForJson } from '../../http/json.ts';
import { sleep, type Time } from '../../time.ts';
import type { JobPlace, JobSpec, JobStatus, Launcher } from './launcher.ts';
import { rayLog } from './rayLog.ts';
import {
  authenticationSchema,
  jobSchema,
  logsSchema,
  stoppedSchema,
  submittedSchema,
  versionSchema,
  type RayJob,
} from './rayReplies.ts';
import { quoted } from '../../../shared/text/shellCommand.ts';
import { defined } from '../../../shared/defined.ts';

const states: Record<RayJob['status'], JobStatus['state']> = {
  PENDING: 'queued',
  RUNNING: 'running',
  STOPPED: 'stopped',
  SUCCEEDED: 'done',
  FAILED: 'failed',
};

/** Ray sends SIGTERM, and SIGKILL some seconds later. */
const stopPatience = { milliseconds: 20_000, between: 1_000 };

/** Ray's messages have ten lines, or more characters than 20,000 in fewer; within a cluster no message has more bytes than this. */
const largestMessage = 4 * 1024 * 1024;

export class RayLauncher implements Launcher {
  readonly #http: HttpClient & Listener;
  readonly #time: Time;

  constructor(http: HttpClient & Listener, time: Time) {
    this.#http = http;
    this.#time = time;
  }

  get url(): string {
    return this.#http.url;
  }

  async check(signal: AbortSignal): Promise<string> {
    try {
      const asked = { method: 'GET', path: '/api/version' } as const;
      const { ray_version } = await sendForJson(this.#http, asked, versionSchema, signal);
      return `Ray ${ray_version}`;
    } catch (error) {
      if (EndpointError.is(error, 'credentials')) throw await this.#wantsToken(error, signal);
      throw error;
    }
  }

  async submit({ id, folder, environment, about }: JobSpec, signal: AbortSignal): Promise<void> {
    const body = {
      ...{ entrypoint: `bash ${quoted(`${folder}/job.sh`)}`, submission_id: id },
      ...{ runtime_env: { env_vars: environment }, metadata: about },
    };
    const asked = { method: 'POST', path: '/api/jobs/', body } as const;
    try {
      // Ray refuses a duplicate with a 500, which patience would ask for again for minutes: the job is looked for first.
      await sendForJson(this.#http, { ...asked, tries: 1 }, submittedSchema, signal);
      return;
    } catch (error) {
      if (!EndpointError.is(error) || EndpointError.is(error, 'credentials')) throw error;
      if ((await this.status({ id, folder }, signal)) !== null) return;
    }
    try {
      await sendForJson(this.#http, asked, submittedSchema, signal);
    } catch (error) {
      // An answer may have been lost on its way: then the next try is refused as a duplicate, or broke just as well.
      if (!EndpointError.is(error) || EndpointError.is(error, 'credentials')) throw error;
      if (EndpointError.is(error, 'unreachable') || (await this.status({ id, folder }, signal)) === null) throw error;
    }
  }

  async status({ id }: JobPlace, signal: AbortSignal): Promise<JobStatus | null> {
    const job = await this.#known({ method: 'GET', path: this.#path(id) }, jobSchema, signal);
    if (job === null) return null;
    const kind = job.error_type === null || job.error_type === undefined ? '' : `${job.error_type}: `;
    return {
      state: states[job.status],
      message: `${kind}${job.message ?? ''}`.trim(),
      exitCode: job.driver_exit_code ?? null,
    };
  }

  /** Ray gives the whole text each time. */
  async log({ id }: JobPlace, from: number, signal: AbortSignal): Promise<string> {
    const given = await this.#known({ method: 'GET', path: `${this.#path(id)}/logs` }, logsSchema, signal);
    return Buffer.from(given?.logs ?? '')
      .subarray(from)
      .toString();
  }

  follow(job: JobPlace, known: Uint8Array, signal: AbortSignal): AsyncIterable<Buffer> {
    return rayLog(known, {
      attach: () => this.#http.listen(`${this.#path(job.id)}/logs/tail`, largestMessage, signal),
      lives: async () => {
        const state = (await this.status(job, signal))?.state;
        return state === 'queued' || state === 'running';
      },
      ...{ time: this.#time, signal },
    });
  }

  async stop(job: JobPlace, signal: AbortSignal): Promise<void> {
    const stopped = await this.#known({ method: 'POST', path: `${this.#path(job.id)}/stop` }, stoppedSchema, signal);
    if (stopped === null) return;
    const until = this.#time.now() + stopPatience.milliseconds;
    while (this.#time.now() < until) {
      const state = (await this.status(job, signal))?.state;
      if (state !== 'running' && state !== 'queued') return;
      await sleep(this.#time, stopPatience.between, signal);
    }
  }

  close(): void {
    this.#http.close();
  }

  #path(id: string): string {
    return `/api/jobs/${encodeURIComponent(id)}`;
  }

  /** Null where Ray does not know the job. */
  async #known<T>(
    asked: { method: 'GET' | 'POST'; path: string },
    schema: Parameters<typeof sendForJson<T>>[2],
    signal: AbortSignal,
  ): Promise<T | null> {
    try {
      return await sendForJson(this.#http, asked, schema, signal);
    } catch (error) {
      if (EndpointError.is(error) && error.status === 404 && /does not exist/i.test(error.message)) return null;
      throw error;
    }
  }

  async #wantsToken(refused: EndpointError, signal: AbortSignal): Promise<EndpointError> {
    const asked = { method: 'GET', path: '/api/authentication_mode', tries: 3 } as const;
    try {
      const told = await sendForJson(this.#http, asked, authenticationSchema, signal);
      if (told.authentication_mode !== 'token') return refused;
    } catch (error) {
      if (EndpointError.is(error)) return refused;
      throw error;
    }
    const what = refused.status === 403 ? l10n.t('it does not accept this token') : l10n.t('it wants a token');
    return new EndpointError('credentials', what, {
      ...{ endpoint: this.url, request: refused.request, attempts: refused.attempts, cause: refused },
      ...defined({ status: refused.status ?? undefined }),
      remedy: l10n.t('Give the cluster’s token as the key of this endpoint (“ray get-auth-token” shows it).'),
    });
  }
}
