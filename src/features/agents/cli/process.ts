/**
 * Where the server that an editor starts begins: `node agents.cjs FOLDER ROOT DIST VERSION [--read-only] [--may-start]`, its protocol on
 * standard input and output.
 */
import * as module from 'node:module';

module.enableCompileCache();
void import('./editorServer.ts');
