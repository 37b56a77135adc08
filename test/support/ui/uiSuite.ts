/**
 * A suite that drives the extension from outside, as a person does: a copy of the demo's workspace, VS Code on it, and
 * a picture of every window for each test that fails (`SUITE-failed.png`).
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startHost, type Host, type HostOptions } from '../../vscode/host.ts';
import { packagedExtension } from '../../vscode/packaged.ts';
import type { Window } from '../../vscode/window.ts';
import { demoWorkspace } from '../../vscode/workspace.ts';

const screenshots = fileURLToPath(new URL('../../ui/screenshots/', import.meta.url));

export interface UiOptions extends Omit<HostOptions, 'smoke' | 'vsix'> {
  /** The extension as users get it, in an editor without test switches; else the one under development. */
  packaged?: boolean;
  /** Fills the workspace before the editor opens it. */
  prepare?: (folder: string) => Promise<void>;
}

/** A suite's objects from its first test on. */
export interface Ui {
  /** The workspace. */
  readonly folder: string;
  readonly host: Host;
  /** The first window on the workspace. */
  readonly win: Window;
  /** One more window on it. */
  another: () => Promise<Window>;
}

/** Called inside `describe`. */
export function uiSuite(name: string, { packaged = false, prepare, ...options }: UiOptions = {}): Ui {
  let folder: string | undefined;
  let host: Host | undefined;
  let win: Window | undefined;
  const open = async (): Promise<Window> =>
    begun(host).open({ folder: begun(folder), ...(packaged && { extension: null }) });

  before(async () => {
    folder = await demoWorkspace();
    await prepare?.(folder);
    host = await startHost({ ...options, ...(packaged && { smoke: false, vsix: await packagedExtension() }) });
    win = await open();
  });
  picturesOfFailures(name, () => host?.context.pages() ?? []);
  after(async () => {
    await host?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  return {
    get folder() {
      return begun(folder);
    },
    get host() {
      return begun(host);
    },
    get win() {
      return begun(win);
    },
    another: open,
  };
}

/** Saves what the pages show when a test fails, or when none came about. */
export function picturesOfFailures(suite: string, pages: () => readonly Page[]): void {
  let tests = 0;
  const save = async (): Promise<void> => {
    for (const [i, page] of pages().entries()) await page.screenshot({ path: shotPath(`${suite}-failed${i || ''}`) });
  };
  afterEach(async function () {
    tests += 1;
    if (this.currentTest?.state === 'failed') await save();
  });
  after(async () => {
    if (tests === 0) await save();
  });
}

/** Where a picture of the editor is kept. */
export const shotPath = (name: string): string => join(screenshots, `${name}.png`);

function begun<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The suite has not begun.');
  return value;
}
