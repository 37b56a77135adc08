/** One episode on an OpenEnv server: what it says to resets, actions and calls of tools, or why it is over. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { EpisodeError } from '../../engine/errors.ts';
import { parseSaid } from '../../shared/json.ts';
import type { ToolSpec } from '../../shared/records/task.ts';
import type { Step } from '../../shared/records/trace.ts';
import { BrokenExchange } from '../http/exchange.ts';
import { excerpt } from '../http/words.ts';
import type { WebSocketLine } from './webSocket.ts';
import { messageSchema, saidIn, toolsSchema, type ServerError, type ServerMessage } from './wire.ts';

interface SessionParts {
  line: WebSocketLine;
  /** The server's address, for people. */
  url: string;
  /** Milliseconds an answer may take. */
  patience: number;
  signal: AbortSignal;
  /** Its place is free again. */
  onClosed(): void;
}

/** Errors after which the session continues: the server blames the action. */
const ofTheAction = ['VALIDATION_ERROR', 'EXECUTION_ERROR'];

/** JSON-RPC: there is no such method. */
const unknownMethod = -32601;

/** The server has no session for us: it is full, or cannot make an environment. */
export class NoSession extends Error {
  override readonly name = 'NoSession';
  readonly said: ServerError;

  constructor(said: ServerError) {
    super(saidIn(said));
    this.said = said;
  }
}

export class OpenenvSession {
  readonly #parts: SessionParts;
  #calls = 0;
  #closed = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** @throws NoSession; BrokenExchange `cut`; EpisodeError */
  async reset(given: object): Promise<Step> {
    const message = await this.#ask('reset', { type: 'reset', data: given }, ['cut']);
    if (message.type === 'observation') return message.data;
    if (message.type === 'error' && !ofTheAction.includes(message.data.code)) throw new NoSession(message.data);
    throw this.#unexpected('reset', message);
  }

  /** The result of an action; `error` where the server refuses it. @throws EpisodeError */
  async step(action: object): Promise<Step> {
    const message = await this.#ask('step', { type: 'step', data: action });
    if (message.type === 'observation') return message.data;
    if (message.type === 'error' && ofTheAction.includes(message.data.code)) return refused(saidIn(message.data));
    throw this.#unexpected('step', message);
  }

  /** None where the environment has no tools of MCP. @throws EpisodeError */
  async tools(): Promise<ToolSpec[]> {
    const asked = 'tools/list';
    const message = await this.#ask(asked, this.#rpc(asked, {}));
    if (message.type === 'error' && message.data.code === 'UNKNOWN_TYPE') return [];
    if (message.type !== 'mcp') throw this.#unexpected(asked, message);
    const { error, result } = message.data;
    if (error?.code === unknownMethod || error?.message.includes('not support MCP') === true) return [];
    if (error != null) throw this.#over(asked, `refused: ${error.message}`);
    return this.#checked(asked, toolsSchema, result).tools;
  }

  /** The result of an MCP tool: no reward, as MCP has none. @throws EpisodeError */
  async call(name: string, given: object): Promise<Step> {
    const asked = 'tools/call';
    const message = await this.#ask(asked, this.#rpc(asked, { name, arguments: given }));
    if (message.type !== 'mcp') throw this.#unexpected(asked, message);
    const { error, result } = message.data;
    if (error != null) return refused(error.message);
    return { observation: { tool_name: name, result: result ?? null }, reward: null, done: false };
  }

  /** We have said goodbye. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Resolves when the server has cleared it away. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#parts.line.close(JSON.stringify({ type: 'close' }));
    this.#parts.onClosed();
  }

  #rpc(method: string, params: object): object {
    return { type: 'mcp', data: { jsonrpc: '2.0', id: ++this.#calls, method, params } };
  }

  /** @param passed on kinds of a broken connection that are thrown as they are */
  async #ask(asked: string, message: object, passed: readonly string[] = []): Promise<ServerMessage> {
    const { line, patience, signal } = this.#parts;
    let text: string;
    try {
      text = await line.ask(JSON.stringify(message), patience, signal);
    } catch (error) {
      if (!(error instanceof BrokenExchange) || passed.includes(error.kind)) throw error;
      throw this.#over(asked, error.message, remedies[error.kind]?.());
    }
    const value = parseSaid(text);
    if (value === undefined)
      throw this.#over(asked, l10n.t('what it sent is no JSON: {0}', excerpt(Buffer.from(text), 80)));
    return this.#checked(asked, messageSchema, value);
  }

  #checked<T>(asked: string, schema: z.ZodType<T>, value: unknown): T {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? '' : l10n.t(' at “{0}”', issue.path.join('.'));
    throw this.#over(asked, l10n.t('its message is not as OpenEnv has it{0}', where), otherVersion());
  }

  #unexpected(asked: string, message: ServerMessage): EpisodeError {
    if (message.type === 'error') return this.#over(asked, `${message.data.code}: ${saidIn(message.data)}`);
    return this.#over(asked, l10n.t('it answered with “{0}”', message.type), otherVersion());
  }

  #over(asked: string, what: string, remedy = l10n.t('See the server’s own log.')): EpisodeError {
    return new EpisodeError(`${this.#parts.url}: ${asked}: ${what.replace(/\.$/, '')}. ${remedy}`);
  }
}

const otherVersion = (): string => l10n.t('Check with genenv doctor whether it is another version of OpenEnv.');

const remedies: Partial<Record<BrokenExchange['kind'], () => string>> = {
  late: (): string => l10n.t('Give it more time in “openenv.seconds”, or see what it does.'),
  size: (): string => l10n.t('Have it send less, or raise “openenv.megabytes”.'),
  protocol: (): string => l10n.t('Check that the address leads to an OpenEnv server.'),
};

const refused = (error: string): Step => ({ observation: {}, reward: null, done: false, error });
