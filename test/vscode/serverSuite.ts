/** A suite in VS Code's server, its workbench in headless Chromium. */
import { project, startHost } from './host.ts';
import { carrier, type SuiteLaunch } from './launch.ts';

/** Resolves when VS Code says that the suite is over. */
export async function runInServer({
  folder,
  tests,
  env,
  theme,
  trust,
  vsix,
  verbose,
  onWindow,
}: SuiteLaunch): Promise<void> {
  const host = await startHost({ env, theme, trust, verbose, ...(vsix !== undefined && { vsix }) });
  try {
    const extension = vsix === undefined ? project : await carrier();
    const win = await host.open({ folder, extension, tests });
    onWindow(win);
    await win.exited;
  } finally {
    await host.close();
  }
}
