/** A reward process under a debugger of Node: it waits for one, and says where the function begins. */
import inspector, { Session, type Debugger } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { append } from '../../../shared/append.ts';

/** Listens on this machine. @param port 0 for any free one; @returns the one it is */
export function listenForDebugger(port: number): number {
  inspector.open(port, '127.0.0.1');
  return Number(new URL(inspector.url() ?? '').port);
}

/** Holds the process until a debugger has set its breakpoints. */
export const waitForDebugger = (): void => inspector.waitForDebugger();

const key = '__genenvReward';

type Called = (...given: unknown[]) => unknown;

interface Entry {
  file: string;
  line: number;
  column: number;
}

/** Where functions begin, by their names; without those of which it is not known. */
export const entriesOf = (functions: Iterable<readonly [string, Called]>): Record<string, Entry> =>
  Object.fromEntries(
    [...functions].flatMap(([name, called]) => {
      const entry = entryOf(called);
      return entry === null ? [] : [[name, entry]];
    }),
  );

/** The first place inside a function where it can stop, lines and columns from 1; null where none is known. */
function entryOf(called: Called): Entry | null {
  const session = new Session();
  session.connect();
  try {
    const urls = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
    session.post('Debugger.enable');
    const [start] = locationOf(session, called);
    if (start === undefined) return null;
    const found: Debugger.Location[] = [];
    session.post('Debugger.getPossibleBreakpoints', { start, restrictToFunction: true }, (error, given) => {
      if (error === null) append(found, given.locations);
    });
    const { scriptId, lineNumber, columnNumber = 0 } = found[0] ?? start;
    const url = urls.get(scriptId);
    if (url?.startsWith('file:') !== true) return null;
    return { file: fileURLToPath(url), line: lineNumber + 1, column: columnNumber + 1 };
  } finally {
    session.disconnect();
  }
}

/** Of a function's text; none for one without. Answers come before `post` returns: the debugger is in this very thread. */
function locationOf(session: Session, called: Called): Debugger.Location[] {
  const found: Debugger.Location[] = [];
  Reflect.set(globalThis, key, called);
  session.post('Runtime.evaluate', { expression: `globalThis.${key}` }, (error, evaluated) => {
    const objectId = error === null ? evaluated.result.objectId : undefined;
    if (objectId === undefined) return;
    session.post('Runtime.getProperties', { objectId, ownProperties: true }, (failure, given) => {
      if (failure !== null) return;
      const location = given.internalProperties?.find(({ name }) => name === '[[FunctionLocation]]');
      const place: unknown = location?.value?.value;
      if (typeof place !== 'object' || place === null) return;
      found.push({
        scriptId: String(Reflect.get(place, 'scriptId')),
        lineNumber: Number(Reflect.get(place, 'lineNumber')),
        columnNumber: Number(Reflect.get(place, 'columnNumber')),
      });
    });
  });
  Reflect.deleteProperty(globalThis, key);
  return found;
}
