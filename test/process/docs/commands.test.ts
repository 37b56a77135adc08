/** Every command that a page shows, parsed by the command line's own grammar, held to package.json's scripts; none is run. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { parseCommandLine, type CommandLine } from '../../../src/cli/commandLine.ts';
import { UsageError } from '../../../src/cli/usageError.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { shownCommands, type ShownCommand } from '../../support/docs/commandLines.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const names = z.record(z.string(), z.string());
const { scripts, bin, devDependencies } = z
  .object({ scripts: names, bin: names, devDependencies: names })
  .parse(JSON.parse(textOf('package.json')));
const experiment = textOf('demo/embedded.genenv.json');
const pages = globSync(['*.md', 'docs/**/*.md', 'demo/**/*.md'], { cwd: root }).sort();

/** Why a command does not work; '' where it does. */
function problemOf({ words: [program = '', ...words], isMention }: ShownCommand): string {
  switch (program) {
    case 'genenv':
      return problemOfGenenv(words, isMention);
    case 'npm':
      return problemOfNpm(words);
    case 'npx': {
      const [name = '', ...rest] = words;
      if (name === 'genenv') return problemOfGenenv(rest, isMention);
      return name in bin || name in devDependencies ? '' : `npx would download ${name}`;
    }
    default: {
      const file = words.find((word) => !word.startsWith('-'));
      if (file === undefined) return isMention ? '' : 'node runs no file';
      return file.startsWith('dist/') || existsSync(`${root}${file}`) ? '' : `there is no ${file}`;
    }
  }
}

function problemOfGenenv(words: readonly string[], isMention: boolean): string {
  const line = parsed(words);
  if (!isMention || typeof line !== 'string') return typeof line === 'string' ? line : problemOfSettings(line);
  // [--edit FILE] is optional; a value and an argument may be unsaid.
  const plain = words.flatMap((word) => word.replaceAll(/^\[|\]$/g, '') || []);
  const fuller = [plain, [...plain, 'X'], [...plain, 'X', 'X']].map(parsed);
  return fuller.every((one) => typeof one === 'string') ? line : '';
}

function parsed(words: readonly string[]): CommandLine | string {
  try {
    return parseCommandLine(words);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** Settings that are changed exist, and have the value. */
function problemOfSettings(line: CommandLine): string {
  if (line.kind !== 'command') return '';
  const changes = line.arguments.all('set').filter((change) => change !== 'FIELD=VALUE');
  const read = parseExperiment(experiment, 'embedded.genenv.json', changes);
  return 'problems' in read ? read.problems.map(({ message }) => message).join(' ') : '';
}

function problemOfNpm(words: readonly string[]): string {
  const [first = '', ...rest] = words[0] === '--prefix' ? words.slice(2) : words;
  if (first === 'install' || first === 'ci') return '';
  const [name = '', ...further] = first === 'run' ? rest : [first, ...rest];
  if (!(name in scripts)) return `package.json has no script ${name}`;
  const given = further[0] === '--' ? further.slice(1) : [];
  if (further.length > 0 && further[0] !== '--') return `npm keeps ${further.join(' ')} for itself: write -- before it`;
  return name === 'genenv' && given.length > 0 ? problemOfGenenv(given, false) : '';
}

const problemsOf = (page: string): string[] =>
  shownCommands(page, ['genenv', 'npm', 'npx', 'node']).flatMap((command) => {
    const problem = problemOf(command);
    return problem === '' ? [] : [`${command.line}: ${command.words.join(' ')}: ${problem}`];
  });

describe('commands in documentation', () => {
  for (const page of pages) {
    it(`of ${page} are what the programs take`, () => assert.deepEqual(problemsOf(textOf(page)), []));
  }

  it('are found in the pages that people begin with', () => {
    for (const page of ['README.md', 'docs/endpoints.md', 'docs/serve.md', 'docs/runner.md', 'docs/domains.md']) {
      const found = shownCommands(textOf(page), ['genenv', 'npm']);
      assert.ok(found.length > 2, page);
    }
  });

  it('are refused where they are wrong', () => {
    const page = [
      '`genenv show`, `genenv show --tarce` and `npm run nothing`, but `genenv` alone is fine.',
      '| `genenv search RUN A \\| B --oder x` |',
      '```sh',
      'A=1 genenv run x.genenv.json --set epochs=many  # so many',
      'cat x | genenv score bfcl --decode < in > out && genenv score bfcl --decoed',
      'genenv setup box --gpus 8 \\',
      "  --servres 'sky rl'",
      'npm run genenv --help',
      'genenv run',
      '```',
    ].join('\n');
    const [trace, nothing, search, set, ...rest] = problemsOf(page);
    assert.match(trace ?? '', /^1: .*no option --tarce/);
    assert.match(nothing ?? '', /^1: .*no script nothing/);
    assert.match(search ?? '', /^2: .*no option --oder/);
    assert.match(set ?? '', /^4: .*epochs/);
    assert.match(rest.join('\n'), /^5: .*--decoed.\n6: .*--servres.\n8: .*write -- before it\n9: .*needs FILE.$/);
    assert.equal(rest.length, 4);
  });
});
