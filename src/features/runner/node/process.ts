/** The entry point of the runner's program: its compiled code is cached between starts. */
import * as module from 'node:module';

module.enableCompileCache();
void import('./main.ts');
