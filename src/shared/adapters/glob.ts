/**
 * A file pattern as a nondeterministic automaton: matching a path takes time proportional to its length. As a regular
 * expression `*a*a*a*b` would try every way to divide a path among the stars.
 */

import { append } from '../append.ts';
type Step =
  | { op: 'char'; char: string }
  /** Anything but a slash. */
  | { op: 'inName' }
  | { op: 'any' }
  /** Continues at each of these places. */
  | { op: 'fork'; to: number[] }
  | { op: 'end' };

/** Braces that are open: the fork before them, and the steps after each alternative. */
interface Braces {
  fork: number[];
  exits: number[][];
}

/** `*` within a name, `**` across folders, `?`, `{a,b}`. A brace that is never closed is a letter like others. */
export function globOf(pattern: string): (path: string) => boolean {
  const steps = compiled(pattern);
  return (path) => fits(steps, path);
}

function compiled(pattern: string): Step[] {
  const steps: Step[] = [];
  const open: Braces[] = [];
  const fork = (...to: number[]): number[] => {
    steps.push({ op: 'fork', to });
    return to;
  };
  const literal = (text: string): void => {
    for (const char of text) steps.push({ op: 'char', char });
  };
  const repeat = (...inner: Step[]): void => {
    const start = steps.length;
    const way = fork(start + 1);
    append(steps, inner);
    fork(start);
    way.push(steps.length);
  };
  for (const [part] of pattern.matchAll(/\*\*\/|\*\*|[*?{},]|[^*?{},]+/gu)) {
    const braces = open.at(-1);
    if (part === '**/') {
      const start = steps.length;
      const way = fork(start + 1);
      steps.push({ op: 'inName' });
      fork(start + 1, steps.length + 1);
      literal('/');
      fork(start);
      way.push(steps.length);
    } else if (part === '**') repeat({ op: 'any' });
    else if (part === '*') repeat({ op: 'inName' });
    else if (part === '?') steps.push({ op: 'inName' });
    else if (part === '{') {
      const to = fork(steps.length + 1);
      open.push({ fork: to, exits: [] });
    } else if (part === ',' && braces !== undefined) {
      braces.exits.push(fork());
      braces.fork.push(steps.length);
    } else if (part === '}' && braces !== undefined) {
      open.pop();
      for (const exit of braces.exits) exit.push(steps.length);
    } else literal(part);
  }
  if (open.length > 0) {
    steps.length = 0;
    literal(pattern);
  }
  steps.push({ op: 'end' });
  return steps;
}

function fits(steps: readonly Step[], path: string): boolean {
  /** By step, the character at which the machine was last there. */
  const seen = new Int32Array(steps.length).fill(-1);
  let places: number[] = [];
  let at = 0;
  const enter = (step: number, into: number[]): void => {
    const stack = [step];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (seen[next] === at) continue;
      seen[next] = at;
      const found = steps[next];
      if (found?.op === 'fork') append(stack, found.to);
      else into.push(next);
    }
  };
  enter(0, places);
  for (const char of path) {
    at += 1;
    const entered: number[] = [];
    for (const place of places) if (takes(steps[place], char)) enter(place + 1, entered);
    places = entered;
    if (places.length === 0) return false;
  }
  return places.some((place) => steps[place]?.op === 'end');
}

function takes(step: Step | undefined, char: string): boolean {
  switch (step?.op) {
    case 'char':
      return step.char === char;
    case 'inName':
      return char !== '/';
    case 'any':
      return true;
    default:
      return false;
  }
}
