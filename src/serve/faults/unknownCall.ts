/** A fault of a call that the server does not answer would never happen. */
import type { Route } from '../http/router.ts';
import type { FaultRule } from './faults.ts';

export class UnknownCall extends Error {
  override readonly name = 'UnknownCall';
  readonly call: string;
  /** The last part of every call that can fail on purpose. */
  readonly known: readonly string[];

  constructor(call: string, known: readonly string[]) {
    super(`No call that can fail is named ${call}.`);
    this.call = call;
    this.known = known;
  }
}

/** @throws UnknownCall for a rule whose call none of the routes is */
export function refuseUnknownCalls(rules: readonly FaultRule[], routes: readonly Pick<Route, 'path' | 'open'>[]): void {
  const paths = routes.filter(({ open }) => open !== true).map(({ path }) => path);
  const known = paths.map((path) => path.slice(path.lastIndexOf('/') + 1)).filter((name) => name !== '*');
  for (const { path: call } of rules) {
    if (call !== undefined && !paths.some((path) => path.endsWith(call))) {
      throw new UnknownCall(call, [...new Set(known)].sort());
    }
  }
}
