/**
 * A Ray head as its Jobs REST API is documented, quirks included: browsers are refused, errors are plain text, a missing
 * slash redirects, tokens where they are asked for. Its jobs are processes that do what their entrypoint says.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import type { Duplex } from 'node:stream';
import { sendJson, TestServer, type Asked } from '../endpoints/httpServer.ts';
import { accept, refuse, tail, type TailFault } from './fakeTail.ts';

const submissionSchema = z.strictObject({
  entrypoint: z.string(),
  submission_id: z.string(),
  runtime_env: z.strictObject({ env_vars: z.record(z.string(), z.string()) }),
  metadata: z.record(z.string(), z.string()),
});

interface RayJob {
  submission: z.infer<typeof submissionSchema>;
  status: 'PENDING' | 'RUNNING' | 'STOPPED' | 'SUCCEEDED' | 'FAILED';
  message: string;
  exitCode: number | null;
  log: string;
  child: ChildProcess | null;
}

/** Milliseconds until SIGKILL follows. */
const mercy = 2_000;

export class FakeRay {
  readonly jobs = new Map<string, RayJob>();
  /** Every call, in order. */
  readonly calls: string[] = [];
  readonly submissions: string[] = [];
  token: string | null = null;
  /** Jobs wait until there is room. */
  full = false;
  /** Does the next of these calls, and loses its answer. */
  loses: RegExp | null = null;
  /** Faults of the next attachments to a log, one each. */
  readonly tailFaults: TailFault[] = [];
  onCall: (call: string) => void = () => undefined;
  #server: TestServer | null = null;
  #port = 0;

  async start(): Promise<this> {
    this.#server = await TestServer.start(
      (response, asked) => this.#answer(response, asked),
      this.#port,
      (socket, asked) => this.#attach(socket, asked),
    );
    this.#port = Number(new URL(this.#server.url).port);
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** A running job without a process: what it prints is the caller's to say. */
  put(id: string): RayJob {
    const submission = { entrypoint: 'true', submission_id: id, runtime_env: { env_vars: {} }, metadata: {} };
    const job: RayJob = {
      ...{ submission, status: 'RUNNING', message: 'Job is currently running.', exitCode: null },
      ...{ log: '', child: null },
    };
    this.jobs.set(id, job);
    return job;
  }

  /** There is room for what waits. */
  empty(): void {
    this.full = false;
    for (const job of this.jobs.values()) if (job.status === 'PENDING') begin(job);
  }

  /** The dashboard is unreachable; jobs continue. */
  async away(): Promise<void> {
    await this.#server?.stop();
    this.#server = null;
  }

  /** As a head that is started again: what it knew is gone. @param kill jobs die with it */
  forget({ kill }: { kill: boolean }): void {
    for (const job of this.jobs.values()) if (kill) end(job, 'SIGKILL');
    this.jobs.clear();
  }

  async stop(): Promise<void> {
    for (const job of this.jobs.values()) end(job, 'SIGKILL');
    await this.away();
  }

  #answer(response: ServerResponse, asked: Asked): void {
    const { method, path, headers } = asked;
    this.calls.push(`${method} ${path}`);
    this.onCall(`${method} ${path}`);
    if (this.loses?.test(`${method} ${path}`) === true) {
      this.loses = null;
      this.#route(asked);
      response.destroy();
      return;
    }
    const told = this.#guard(asked) ?? this.#route(asked);
    if (told.location !== undefined) {
      response.writeHead(301, { location: told.location });
      response.end();
    } else if (typeof told.body === 'string') {
      response.writeHead(told.status, { 'content-type': 'text/plain; charset=utf-8', date: headers.date ?? '' });
      response.end(told.body);
    } else sendJson(response, told.body, told.status);
  }

  #attach(socket: Duplex, asked: Asked): void {
    this.calls.push(`WS ${asked.path}`);
    this.onCall(`WS ${asked.path}`);
    const refused = this.#guard(asked);
    const id = /^\/api\/jobs\/([^/]+)\/logs\/tail$/.exec(asked.path)?.[1];
    const job = this.jobs.get(decodeURIComponent(id ?? ''));
    const fault = this.tailFaults.shift();
    if (refused !== null) refuse(socket, refused.status, String(refused.body));
    else if (job === undefined) refuse(socket, 404, `Job ${id ?? ''} does not exist`);
    else if (typeof fault === 'object' && 'refused' in fault)
      refuse(socket, fault.refused, '400: No WebSocket UPGRADE hdr');
    else tail(accept(socket, asked.headers['sec-websocket-key'] ?? ''), job, fault);
  }

  #guard({ method, path, headers }: Asked): Told | null {
    const agent = headers['user-agent'];
    if (agent === undefined) return trace(500, "KeyError: 'User-Agent'");
    const browser = agent.startsWith('Mozilla') || Object.keys(headers).some((name) => name.startsWith('sec-fetch-'));
    if (browser && !['GET', 'HEAD', 'OPTIONS'].includes(method)) {
      return { status: 405, body: 'Method Not Allowed for browser traffic.' };
    }
    if (this.token === null || path === '/api/authentication_mode' || path === '/api/healthz') return null;
    if (headers.authorization === undefined) return { status: 401, body: 'Unauthorized: Missing authentication token' };
    if (headers.authorization === `Bearer ${this.token}`) return null;
    return { status: 403, body: 'Forbidden: Invalid authentication token' };
  }

  #route({ method, path, body }: Asked): Told {
    const call = `${method} ${path}`;
    const job = /^\/api\/jobs\/([^/]+)(\/logs|\/stop|\/logs\/tail)?$/.exec(path);
    if (call === 'GET /api/version') {
      return { status: 200, body: { version: '4', ray_version: '2.52.0', ray_commit: '0f3c9d', session_name: 's' } };
    }
    if (call === 'GET /api/authentication_mode') {
      return { status: 200, body: { authentication_mode: this.token === null ? 'disabled' : 'token' } };
    }
    if (path === '/api/jobs') return { status: 301, body: '', location: '/api/jobs/' };
    if (call === 'POST /api/jobs/') return this.#submit(body);
    if (job?.[1] === undefined) return { status: 404, body: '404: Not Found' };
    const id = decodeURIComponent(job[1]);
    const known = this.jobs.get(id);
    if (known === undefined) return { status: 404, body: `Job ${id} does not exist` };
    if (job[2] === '/logs/tail') return { status: 400, body: '400: No WebSocket UPGRADE hdr: None' };
    if (job[2] === '/logs') return { status: 200, body: { logs: known.log } };
    if (job[2] === '/stop' && method === 'POST') return this.#stop(known);
    return { status: 200, body: details(known) };
  }

  #submit(body: string): Told {
    const read = submissionSchema.safeParse(JSON.parse(body));
    if (!read.success) return trace(400, `TypeError: ${z.prettifyError(read.error)}`);
    const { submission_id: id } = read.data;
    if (this.jobs.has(id)) {
      return trace(
        400,
        `ValueError: Job with submission_id ${id} already exists. Please use a different submission_id.`,
      );
    }
    this.submissions.push(id);
    const job: RayJob = {
      ...{ submission: read.data, status: 'PENDING', message: 'Job has not started yet.', exitCode: null },
      ...{ log: '', child: null },
    };
    this.jobs.set(id, job);
    if (!this.full) begin(job);
    return { status: 200, body: { job_id: id, submission_id: id } };
  }

  #stop(job: RayJob): Told {
    if (job.status !== 'RUNNING' && job.status !== 'PENDING') return { status: 200, body: { stopped: false } };
    job.status = 'STOPPED';
    job.message = 'Job was intentionally stopped.';
    end(job, 'SIGTERM');
    setTimeout(() => end(job, 'SIGKILL'), mercy).unref();
    return { status: 200, body: { stopped: true } };
  }
}

interface Told {
  status: number;
  body: unknown;
  location?: string;
}

const trace = (status: number, last: string): Told => ({
  status,
  body: `Traceback (most recent call last):\n  File "job_head.py", line 371, in submit_job\n${last}\n`,
});

const details = ({ submission, status, message, exitCode }: RayJob): unknown => ({
  ...{ type: 'SUBMISSION', job_id: null, submission_id: submission.submission_id, status, message },
  ...{ entrypoint: submission.entrypoint, error_type: null, start_time: 1, end_time: null },
  ...{ metadata: submission.metadata, runtime_env: submission.runtime_env, driver_info: null, driver_node_id: null },
  ...{ driver_agent_http_address: null, driver_exit_code: exitCode },
});

function begin(job: RayJob): void {
  const { entrypoint, runtime_env } = job.submission;
  const environment = { ...process.env, ...runtime_env.env_vars };
  const child = spawn('bash', ['-c', entrypoint], {
    ...{ env: environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  Object.assign(job, { child, status: 'RUNNING', message: 'Job is currently running.' });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => (job.log += piece.toString()));
  }
  child.on('close', (code, signal) => {
    job.child = null;
    if (job.status !== 'RUNNING') return;
    job.exitCode = code;
    job.status = code === 0 ? 'SUCCEEDED' : 'FAILED';
    const how = code ?? String(signal);
    job.message =
      code === 0
        ? 'Job finished successfully.'
        : `Job entrypoint command failed with exit code ${how}, last available logs (truncated to 20,000 chars):\n${job.log.slice(-20_000)}`;
  });
}

/** The whole process group. */
function end({ child }: RayJob, signal: NodeJS.Signals): void {
  if (child?.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // It has just ended.
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ESRCH') throw error;
  }
}
