/** Where the command line begins that the extension brings: `node genenv.cjs WORDS`, its compiled code cached between starts. */
import * as module from 'node:module';

module.enableCompileCache();
void import('../main.ts');
