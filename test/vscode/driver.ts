/** For tests inside the extension host: acts on their own window from outside, as a person would. */
import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';
import { answerSchema, type FromSuite } from './link.ts';
import type { Part } from './window.ts';

interface Waiting {
  resolve(value: string): void;
  reject(error: Error): void;
}

let socket: Socket | undefined;
let next = 1;
const waiting = new Map<number, Waiting>();

/** The suite's entry connects before any test file is loaded. */
export function connectDriver(to: Socket): void {
  socket = to;
  createInterface({ input: to }).on('line', (line) => {
    const { id, value = '', error } = answerSchema.parse(JSON.parse(line));
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(error));
  });
}

export function tell(message: FromSuite): void {
  socket?.write(`${JSON.stringify(message)}\n`);
}

function call(action: string, ...args: string[]): Promise<string> {
  if (socket === undefined) throw new Error('No runner drives this window.');
  const id = next++;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    tell({ kind: 'call', id, action, args });
  });
}

export const driver = {
  /** Runs a command from the palette by its whole title. */
  command: (title: string) => call('command', title),
  /** Presses keys, one after another, in a part of the window, each once that part has the focus. */
  press: (part: Part, ...keys: string[]) => call('press', part, ...keys),
  /** Waits for a notification and gives its whole text. */
  message: (text: string) => call('message', text),
  /** Waits for a notification and presses one of its buttons. */
  answer: (text: string, button: string) => call('answer', text, button),
  /** Takes a row of an open quick pick. */
  choose: (row: string) => call('choose', row),
  /** Answers an open input box. */
  type: (text: string) => call('type', text),
  /** Waits for the input box of this title, and answers it. */
  typeInto: (title: string, text: string) => call('typeInto', title, text),
  /** Text of the tree items on screen, a line each. */
  treeItems: () => call('treeItems'),
  /** Text of one of our pages (`calibration`, …). */
  pageText: (name: string) => call('pageText', name),
  /** Presses a button in one of our pages. */
  pageButton: (name: string, button: string) => call('pageButton', name, button),
  /** Types into a field of one of our pages, in place of what stands there. */
  pageType: (name: string, role: 'textbox' | 'spinbutton', label: string, text: string) =>
    call('pageType', name, role, label, text),
  /** Presses keys in a field of one of our pages, or at the first row whose name holds the label. */
  pagePress: (name: string, role: 'textbox' | 'spinbutton' | 'row', label: string, ...keys: string[]) =>
    call('pagePress', name, role, label, ...keys),
  /** Makes the window so many pixels wide. */
  width: (width: number) => call('width', String(width)),
  /** Saved in test/ui/screenshots. */
  screenshot: (name: string) => call('screenshot', name),
};
