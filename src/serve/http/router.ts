/** Maps method and path to a handler. */
import type { Call } from './call.ts';
import { Refusal } from './refusal.ts';
import type { Reply } from './reply.ts';

export interface Route {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** `/api/v1/training_runs/*`: a star is one segment. */
  path: string;
  /** The form of errors, and the faults allowed here. */
  dialect: 'tinker' | 'openai';
  /** Answers without a key where one is needed: the health check. */
  open?: boolean;
  answer(call: Call): Reply | Promise<Reply>;
}

export interface Match {
  route: Route;
  parameters: readonly string[];
}

export class Router {
  readonly #routes: readonly { route: Route; segments: readonly string[] }[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({ route, segments: route.path.split('/') }));
  }

  /** @throws Refusal 404 for an unknown path, 405 for an unknown method of a known one */
  find(method: string, path: string): Match {
    const segments = path.split('/');
    let known = false;
    for (const { route, segments: pattern } of this.#routes) {
      const parameters = parametersOf(pattern, segments);
      if (parameters === null) continue;
      known = true;
      if (route.method === method) return { route, parameters };
    }
    if (known) throw new Refusal(405, `${method} is not allowed for ${path}.`);
    throw new Refusal(404, `There is nothing at ${path}.`);
  }
}

function parametersOf(pattern: readonly string[], segments: readonly string[]): string[] | null {
  if (pattern.length !== segments.length) return null;
  const parameters: string[] = [];
  for (const [i, expected] of pattern.entries()) {
    const segment = segments[i] ?? '';
    if (expected === '*' && segment !== '') parameters.push(decode(segment));
    else if (expected !== segment) return null;
  }
  return parameters;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new Refusal(400, `'${segment}' is not a valid part of an address: ${String(cause)}.`);
  }
}
