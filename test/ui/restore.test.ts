/** The checklist and the comparison over a reload of the window: they come back, and say what they know. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cli } from '../support/genenv.ts';
import { startHost, type Host } from '../vscode/host.ts';
import { packagedExtension } from '../vscode/packaged.ts';
import type { Window } from '../vscode/window.ts';
import { demoWorkspace } from '../vscode/workspace.ts';

const screenshots = fileURLToPath(new URL('screenshots/', import.meta.url));
