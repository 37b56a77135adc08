/** The port to an OpenEnv server; src/endpoints/openenv implements it. */
import type { ToolSpec } from '../../shared/records/task.ts';
import type { Step } from '../../shared/records/trace.ts';

interface Session {
  /** The result of an action; `error` where the server refuses it. @throws EpisodeError */
  step(action: object): Promise<Step>;
  /** None where the environment has no tools of MCP. @throws EpisodeError */
  tools(): Promise<ToolSpec[]>;
  /** The result of an MCP tool; no reward. @throws EpisodeError */
  call(name: string, given: object): Promise<Step>;
  close(): Promise<void>;
}

export interface Server {
  readonly url: string;
  /** JSON Schemas of its actions, observations and state. */
  readonly schemas: { action: Readonly<Record<string, unknown>> };
  /** Begins an episode once there is a place. @throws EpisodeError for this one alone */
  begin(reset: object, signal: AbortSignal): Promise<{ session: Session; first: Step }>;
}

export type ServerSession = Session;
