/** Where jobs run, whatever it is: a Ray cluster, a machine behind SSH, this machine. Every call may be made again. */

export interface JobSpec {
  /** The launcher's own name of the job, unique on it. */
  id: string;
  /** Folder of the job as the cluster sees it; `job.sh` in it is what runs. */
  folder: string;
  /** Environment of every process of the job. */
  environment: Readonly<Record<string, string>>;
  /** For people who look at the cluster. */
  about: Readonly<Record<string, string>>;
}

type JobState = 'queued' | 'running' | 'done' | 'failed' | 'stopped';

export interface JobStatus {
  state: JobState;
  /** The launcher's message about it. */
  message: string;
  exitCode: number | null;
}

/** A job as it is found again. */
export type JobPlace = Pick<JobSpec, 'id' | 'folder'>;

export interface Launcher {
  /** Address, without a key. */
  readonly url: string;
  /** Says what is there: `Ray 2.52.0`. @throws EndpointError when nothing usable is */
  check(signal: AbortSignal): Promise<string>;
  /** Begins a job; one of that id that was begun before is left as it is. @throws EndpointError */
  submit(job: JobSpec, signal: AbortSignal): Promise<void>;
  /** Null: it does not know the job (any more). @throws EndpointError */
  status(job: JobPlace, signal: AbortSignal): Promise<JobStatus | null>;
  /** The job's output, from a byte on; '' where that is not known (any more). @throws EndpointError */
  log(job: JobPlace, from: number, signal: AbortSignal): Promise<string>;
  /**
   * The job's output as it comes, after what `known` has of it, every byte once, until the job is over. Null where output is
   * cheaply asked for by `log`. @throws LogUnfollowed where it does not come like this; the signal's reason
   */
  readonly follow: ((job: JobPlace, known: Uint8Array, signal: AbortSignal) => AsyncIterable<Buffer>) | null;
  /** Asks it to end and gives it a while; one that has ended is left as it is. @throws EndpointError */
  stop(job: JobPlace, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** A job's output does not come by itself: it must be asked for. */
export class LogUnfollowed extends Error {
  override readonly name = 'LogUnfollowed';
}
