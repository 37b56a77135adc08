/** In a window of another language: recorded texts, and answers to programs, are English; a person reads their own. */
import assert from 'node:assert/strict';
import { glob, readFile, rm } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { AgentContext } from '../../../src/features/agents/node/agentContext.ts';
import { answerOf } from '../../../src/features/agents/node/answer.ts';
import { tools } from '../../../src/features/agents/node/tools.ts';
import { EndpointError } from '../../../src/endpoints/endpointError.ts';
import { brokenSocket } from '../../../src/endpoints/http/exchange.ts';
import { failureOfExchange } from '../../../src/endpoints/http/failure.ts';
import { inWords } from '../../../src/shared/journal/recordedWords.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { inEnglish, inReadersLanguage, speak } from '../../../src/launch/language.ts';
import { fromSources } from '../../support/fromSources.ts';
import { launchHere } from '../../support/launchHere.ts';
import { onlyRun } from '../../support/runContents.ts';
import { FaultyDisk } from '../../support/runs/faultyFiles.ts';
import { tiny } from '../../support/tiny.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = async (name: string): Promise<string> => readFile(join(root, name), 'utf8');

describe('texts that are recorded', function () {
  this.timeout(120_000);
  let folder = '';

  before(async () => {
    const texts = z.record(z.string(), z.unknown()).parse(JSON.parse(await read('l10n/bundle.l10n.json')));
    speak(Object.fromEntries(Object.keys(texts).map((text) => [text, `⟦${text}⟧`])), 'de');
    folder = mkdtempSync(join(tmpdir(), 'genenv-language-'));
  });
  after(async () => {
    speak({}, 'en');
    await rm(folder, { recursive: true });
  });

  it('are English where the window itself runs the loop, and shown in its language', async () => {
    const disk = new FaultyDisk();
    const experiment = resolveExperiment({ version: 1, ...tiny });
    const told: string[] = [];
    const landing = await launchHere(
      { root: folder, notes: [] },
      { experiment, directory: folder },
      {
        disk: disk.files,
        onEvent: inReadersLanguage(({ type }) => {
          told.push(l10n.t('All {0} epochs are done.', 2));
          if (type === 'tasks.generated') disk.refused.set('traces.jsonl', 'ENOSPC');
        }),
      },
    );
    assert.equal(landing.state, 'paused');
    const sessions = await readFile(join(folder, await onlyRun(folder), 'sessions.jsonl'), 'utf8');
    const why = /: cannot write, the disk is full \(ENOSPC\)\. Everything finished so far is kept\. Free some space/;
    assert.match(sessions, why);
    assert.doesNotMatch(sessions, /⟦/);
    const { message } = landing.error ?? assert.fail();
    assert.match(message, why);
    assert.match(inWords(message), /: ⟦cannot write, ⟦the disk is full⟧ \(ENOSPC\)⟧\. ⟦Everything finished[^⟧]*⟧$/);
    assert.equal(told[0], '⟦All 2 epochs are done.⟧');
  });

  it('are shown whole: place, cause, tries and remedy of an endpoint’s error', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const make = (): string => {
      const broken = brokenSocket(refused, false, false, new URL('http://127.0.0.1:9'));
      const { reason, what, remedy } = failureOfExchange(broken);
      const asked = { endpoint: 'http://127.0.0.1:9', request: 'POST /v1/completions', attempts: 5 };
      return new EndpointError(reason, what, { ...asked, remedy }).message;
    };
    const english = inEnglish(make);
    assert.match(english, /: no connection \(ECONNREFUSED\) after 5 attempts\. Check that the server runs/);
    assert.match(make(), /: ⟦⟦no connection \(ECONNREFUSED\)⟧ after 5 attempts⟧\. ⟦Check/);
    // A form that begins with its cause may take the request's name into it.
    assert.match(inWords(english), /⟦no connection \(ECONNREFUSED\)⟧ after 5 attempts⟧\. ⟦Check[^⟧]*⟧$/);
  });

  it('are shown whole where a runner tried a job several times', () => {
    const failed = inEnglish(() => {
      const facts = { endpoint: 'ray://head:8265', request: l10n.t('job {0}', 'agent-3'), attempts: 1 };
      const what = l10n.t('job {0} was stopped there', 'agent-3');
      const { message } = new EndpointError('failed', what, { ...facts, remedy: l10n.t('Resume to submit it again.') });
      return l10n.t('After {0} tries: {1}', 3, message);
    });
    assert.equal(
      inWords(failed),
      '⟦After 3 tries: ray://head:8265: ⟦job agent-3: ⟦job agent-3⟧ was stopped there⟧.⟧ ⟦Resume to submit it again.⟧',
    );
  });

  it('are found by forms of few letters where their values are single words', () => {
    for (const note of ['row 3', 'expected 4, got 5', '/a/b is missing', 'is no list', 'exit code 137'])
      assert.match(inWords(note), /^⟦.*⟧$/, note);
    for (const own of ['my row of them', 'at the end of it all, 3 of 4', 'well done'])
      assert.doesNotMatch(inWords(own), /^⟦/, own);
  });

  it('are English in the answers of tools', async () => {
    const tool = tools.find(({ name }) => name === 'read_run') ?? assert.fail();
    const place = {
      folder,
      root: folder,
      dist: fromSources,
      mayAct: false,
      scheme: 'vscode',
      version: '1',
      by: 'test',
    };
    const log = { info: () => undefined, warn: () => undefined };
    const context = await AgentContext.open({ ...place, clock: { now: () => 0 }, log });
    const { text, refused } = await answerOf(tool, context, { run: 'none' });
    assert.equal(refused, true);
    assert.match(text, /none/);
    assert.doesNotMatch(text, /⟦/);
  });

  it('are so after every wait, and beside work in the window’s language', async () => {
    const say = (): string => l10n.t('the disk is full');
    const later = async (): Promise<string> => {
      await new Promise((resolve) => setImmediate(resolve));
      return say();
    };
    assert.deepEqual(await Promise.all([inEnglish(later), later(), inEnglish(() => inReadersLanguage(later)())]), [
      'the disk is full',
      '⟦the disk is full⟧',
      '⟦the disk is full⟧',
    ]);
  });

  it('are made by work that is in English', async () => {
    const starts =
      /import \{[^}]*\b(?:attempt|generate|coevolve|LedAttempt)\b[^}]*\} from '[^']*engine|\bhost\.score\(calls/;
    /** They show what came, and record nothing. */
    const shown = new Set(['preflight/node/trial.ts', 'domains/node/writeTasks.ts', 'domains/node/attemptTask.ts']);
    /** Called by work that is. */
    const within = new Set(['makeTasks/node/fromPolicy.ts']);
    const missing: string[] = [];
    for await (const name of glob('src/{features,launch,host}/**/*.ts', { cwd: root })) {
      const text = await read(name);
      const known = name.replace('src/features/', '');
      if (!starts.test(text) || shown.has(known) || within.has(known)) continue;
      if (!/\binEnglish\(/.test(text)) missing.push(name);
    }
    assert.deepEqual(missing, []);
  });
});
