/** A suite in VS Code's server, its workbench in headless Chromium. */
import { startHost } from './host.ts';
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
    const win = await host.open({ folder, tests, ...(vsix !== undefined && { extension: await carrier() }) });
    onWindow(win);
    await win.exited;
  } finally {
    await host.close();
  }
}
