import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import * as z from 'zod';
import { writingDatumSchema } from '../../src/runs/export/rows/datumRows.ts';
import { endingSchema, epochSummarySchema } from '../../src/shared/journal/events.ts';
import { experimentSchema } from '../../src/shared/experiment/schema.ts';
import { resolveExperiment } from '../../src/shared/experiment/resolve.ts';
import { Workspace, type Ended } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

const listSchema = z.strictObject({
  runs: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      mode: z.string(),
      imported: z.null(),
      state: z.enum(['running', 'paused', 'finished', 'failed', 'stopped', 'interrupted']),
      ending: endingSchema.nullable(),
      epoch: z.int(),
      epochs: z.int(),
      startedAt: z.iso.datetime(),
      tags: z.array(z.string()),
      archived: z.boolean(),
      study: z.null(),
    }),
  ),
});
const showSchema = z.strictObject({
  id: z.string(),
  mode: z.string(),
  state: z.string(),
  ending: endingSchema.nullable(),
  experiment: experimentSchema,
  epochs: z.array(epochSummarySchema),
  targets: z.array(z.strictObject({ epoch: z.number(), alpha: z.number() })),
  crossPlay: z.tuple([]),
});
const json = ({ out }: Ended): unknown => JSON.parse(out);

describe('genenv: a run from start to report', () => {
  const workspace = new Workspace();
  const genenv = (...args: string[]): Promise<Ended> => workspace.genenv(...args);
  let id = '';
  let ran: Ended;

  before(async () => {
    workspace.write('tiny.genenv.json', tiny);
    ran = await genenv('run', 'tiny.genenv.json');
    id = readdirSync(workspace.runs)[0] ?? '';
  });
  after(() => workspace.remove());

  it('writes a line an epoch, where the run lies, and three sentences', () => {
    assert.equal(ran.code, 0, ran.err);
    assert.equal(ran.err, '');
    const lines = ran.out.split('\n');
    assert.equal(lines[0], `tiny: mode coevolve, run ${id}`);
    assert.match(lines[1] ?? '', /^start {2}validation \d+\.\d % of 40 held-out attempts$/);
    assert.match(lines[2] ?? '', /^epoch 1\/2 {2}p̂ .* rollouts and .* tokens in /);
    assert.match(lines[3] ?? '', /^epoch 2\/2 {2}p̂ /);
    assert.equal(lines[4], 'All 2 epochs are done.');
    assert.ok(ran.out.includes(join(workspace.runs, id)));
    assert.match(ran.out, /\n2 epochs cannot show whether the environment calibrates: p̂ was .*\nNext: .*\n$/s);
    assert.ok(!ran.out.includes('\u001B'), 'no escapes in a pipe');
  });

  it('is listed', async () => {
    const { runs } = listSchema.parse(json(await genenv('list', '--json')));
    const own = { mode: 'coevolve', imported: null, tags: [], archived: false, study: null };
    assert.deepEqual(
      runs.map(({ startedAt, ...rest }) => [rest, Date.parse(startedAt) > 0]),
      [[{ ...{ id, name: 'tiny', ...own }, state: 'finished', ending: 'epochs', epoch: 2, epochs: 2 }, true]],
    );
    assert.match((await genenv('list')).out, new RegExp(`${id}.*coevolve.*finished.*2/2`));
  });

  it('is shown by epoch, by any beginning of its id', async () => {
    const shown = showSchema.parse(json(await genenv('show', id.slice(0, 12), '--json')));
    assert.equal(shown.id, id);
    assert.deepEqual(shown.experiment, resolveExperiment(tiny));
    assert.deepEqual(
      shown.epochs.map(({ epoch }) => epoch),
      [1, 2],
    );
    for (const { successRate, rollouts, validation } of shown.epochs) {
      assert.ok(rollouts > 0);
      assert.ok(successRate.low <= successRate.high);
      assert.equal(validation?.attempts, 40);
    }
    const text = (await genenv('show', id)).out;
    assert.match(text, /tiny {2}coevolve {2}finished {2}epoch 2\/2/);
    assert.equal(text.trimEnd().split('\n').length, 8);
  });

  it('is shown down to one attempt', async () => {
    const { families } = z
      .object({
        families: z.array(z.looseObject({ id: z.string(), tasks: z.array(z.looseObject({ id: z.string() })) })),
      })
      .parse(json(await genenv('show', id, '--families', '--epoch', '1', '--json')));
    const family = families[0]?.id ?? '';
    assert.match((await genenv('show', id, '--families', '--epoch', '1')).out, new RegExp(`^${family} `, 'm'));
    const { tasks } = z
      .object({
        tasks: z.array(
          z.object({ task: z.looseObject({ id: z.string() }), traces: z.array(z.looseObject({ id: z.string() })) }),
        ),
      })
      .parse(json(await genenv('show', id, '--tasks', '--family', family, '--json')));
    const trace = tasks.flatMap(({ traces }) => traces)[0]?.id ?? '';
    assert.ok(trace.startsWith('e1/'), trace);
    assert.match((await genenv('show', id, '--tasks', '--family', family)).out, new RegExp(`--trace e1/${family}`));
    const shown = (await genenv('show', id, '--trace', trace)).out;
    assert.match(shown, /\nuser\n {2}MENU .*\nassistant\n/s);
    const validation = (await genenv('show', id, '--trace', 'v0/validation.0/r0')).out;
    assert.match(validation, /\nuser\n {2}MENU .*\nassistant\n/s);
    const missing = await genenv('show', id, '--trace', 'e9/none/r0');
    assert.deepEqual([missing.code, missing.out], [2, '']);
    assert.match(missing.err, /no trace "e9\/none\/r0"/);
    assert.match((await genenv('show', id, '--families', '--epoch', '7')).err, /Epoch 7 of this run is not scored/);
    assert.match((await genenv('show', id, '--tasks')).err, /--tasks needs --family F/);
  });

  it('is reported as one file', async () => {
    const { out, code } = await genenv('report', id);
    assert.equal(code, 0);
    assert.equal(out, `${join(workspace.runs, id, 'report.html')}\n`);
    assert.match(readFileSync(out.trim(), 'utf8'), /^<!doctype html>/i);
    const elsewhere = await genenv('report', id, '--out', 'mine.html', '--json');
    assert.deepEqual(json(elsewhere), { id, report: join(workspace.dir, 'mine.html') });
    assert.equal((await genenv('report', id, '--out', 'no/such/folder.html')).code, 2);
  });

  it('has its figures in an event file for TensorBoard, beside the folder of the runs or elsewhere', async () => {
    const { out, code } = await genenv('tensorboard', id);
    assert.equal(code, 0);
    const [, file = ''] = /^\d+ steps in (.*)\n$/.exec(out) ?? [];
    assert.equal(dirname(file), join(dirname(workspace.runs), 'tensorboard', id));
    assert.ok(readFileSync(file).includes('brain.Event:2'));
    assert.ok(readFileSync(file).includes('successRate/p'));
    assert.match((await genenv('tensorboard', id, '--out', 'boards', '--json')).out, /"added": [1-9]/);
    assert.notEqual((await genenv('tensorboard', id, '--out', join(workspace.runs, id))).code, 1);
  });

  it('has its figures in MLflow’s file store, beside the folder of the runs or elsewhere', async () => {
    const { out, code } = await genenv('mlflow', id);
    assert.equal(code, 0);
    const [, folder = ''] = /^\d+ steps of \d+ metrics in (.*)\n$/.exec(out) ?? [];
    assert.equal(dirname(dirname(folder)), join(dirname(workspace.runs), 'mlruns'));
    assert.match(readFileSync(join(folder, 'metrics', 'successRate', 'p'), 'utf8'), /^\d+ 0?\.?\d+ 1$/m);
    assert.match((await genenv('mlflow', id, '--out', 'mine', '--json')).out, /"metrics": [1-9]/);
    assert.notEqual((await genenv('mlflow', id, '--out', join(workspace.runs, id))).code, 1);
  });

  it('exports both pools, to a file and to a pipe that ends early', async () => {
    for (const pool of ['agent', 'environment']) {
      const { out, code } = await genenv('export', id, '--pool', pool, '--out', `${pool}.jsonl`);
      assert.equal(code, 0);
      const lines = readFileSync(join(workspace.dir, `${pool}.jsonl`), 'utf8')
        .trimEnd()
        .split('\n');
      assert.ok(out.startsWith(`${lines.length} lines of the ${pool} pool`), out);
      for (const line of lines) assert.equal(z.object({ v: z.literal(1) }).safeParse(JSON.parse(line)).success, true);
      assert.equal((await genenv('export', id, '--pool', pool)).out.trimEnd(), lines.join('\n'));
    }
    const child = workspace.start(['export', id, '--pool', 'agent']);
    child.stdout?.once('data', () => child.stdout?.destroy());
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    await once(child, 'close');
    assert.deepEqual([child.exitCode, err], [0, '']);
    assert.match((await genenv('export', id, '--pool', 'agnet')).err, /Did you mean --pool agent/);
  });

  it('exports for other trainers, and says what it left out', async () => {
    const out = join(workspace.dir, 'train.parquet');
    const written = await genenv('export', id, '--pool', 'agent', '--format', 'verl', '--out', out, '--json');
    assert.equal(written.code, 0, written.err);
    const { lines, manifest } = z.looseObject({ lines: z.int(), manifest: z.string() }).parse(json(written));
    const file = new Uint8Array(readFileSync(out)).buffer;
    assert.equal((await parquetReadObjects({ file })).length, lines);
    const { rows, leftOut } = z
      .looseObject({ rows: z.int(), leftOut: z.array(z.looseObject({ reason: z.string(), count: z.int() })) })
      .parse(JSON.parse(readFileSync(manifest, 'utf8')));
    assert.equal(rows, lines);
    // Validated before the first epoch and after each: 40 tasks, three times.
    assert.equal(leftOut.find(({ reason }) => reason === 'validation')?.count, 120);
    const tinker = await genenv('export', id, '--pool', 'environment', '--format', 'tinker');
    for (const line of tinker.out.trimEnd().split('\n')) writingDatumSchema.parse(JSON.parse(line));
    const preview = await genenv('export', id, '--pool', 'environment', '--format', 'messages', '--preview');
    assert.match(preview.out, /^# [\d,]+ rows of the environment pool as messages\n.*\| `messages` \| .*```json/s);
    assert.ok(!preview.err.includes('\u001B'), 'no progress where nobody watches');
    const wrong = async (...words: string[]) => {
      const { code, err } = await genenv('export', id, ...words);
      assert.equal(code, 2);
      return err;
    };
    assert.match(await wrong('--pool', 'agent', '--format', 'tinkr'), /Did you mean --format tinker/);
    assert.match(await wrong('--pool', 'agent', '--format', 'verl', '--weights', 'column'), /for the environment pool/);
    assert.match(await wrong('--pool', 'agent', '--format', 'tinker', '--out', 'a.parquet'), /cannot be parquet/);
    assert.match(await wrong('--pool', 'agent', '--rows', 'attempts'), /--format messages/);
    assert.match(await wrong('--pool', 'agent', '--preview', '--out', 'a.jsonl'), /--preview writes nothing/);
  });

  it('writes over nothing that a run consists of', async () => {
    const own = (name: string): string => join(workspace.runs, id, name);
    symlinkSync(own('journal.jsonl'), join(workspace.dir, 'linked.jsonl'));
    const before = readFileSync(own('journal.jsonl'), 'utf8');
    const outs = [own('journal.jsonl'), own('traces.jsonl'), own('run.json'), own('inputs/x'), 'linked.jsonl'];
    for (const out of outs) {
      for (const command of [
        ['export', id, '--pool', 'agent'],
        ['report', id],
        ['make-tasks', id],
      ]) {
        const { code, err } = await genenv(...command, '--out', out);
        assert.equal(code, 2, `${command.join(' ')} ${out}`);
        assert.match(err, /one of the files that a run consists of|folder that does not exist/);
      }
    }
    assert.equal(readFileSync(own('journal.jsonl'), 'utf8'), before);
  });

  it('reads what it exported back as seed tasks', async () => {
    await genenv('export', id, '--pool', 'agent', '--format', 'verl', '--out', 'tasks.parquet');
    const made = await genenv('import', 'tasks.parquet', '--out', 'seeds.jsonl');
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^\d+ tasks in .*seeds\.jsonl\n$/);
    workspace.write('seeded.genenv.json', { ...tiny, domain: { baseTasks: 20, seeds: 'seeds.jsonl' } });
    const checked = await genenv('validate', 'seeded.genenv.json');
    assert.equal(checked.code, 0, checked.err);
    assert.match((await genenv('import', 'tasks.parquet')).err, /needs --out FILE/);
    const table = await genenv('import', 'seeded.genenv.json', '--out', 'more.jsonl');
    assert.deepEqual([table.code, existsSync(join(workspace.dir, 'more.jsonl'))], [2, false]);
    assert.match(table.err, /seeded\.genenv\.json:1: the line is no JSON object/);
  });

  it('branches from an epoch, with other settings, and runs on', async () => {
    const made = await genenv('branch', id, '--epoch', '1', '--set', 'curriculum.alpha=0.4', '--run', '--json');
    assert.equal(made.code, 0, made.err);
    const { id: branch, state } = z.looseObject({ id: z.string(), state: z.string() }).parse(json(made));
    assert.equal(state, 'finished');
    const { epochs, experiment } = showSchema.parse(json(await genenv('show', branch, '--json')));
    const parent = showSchema.parse(json(await genenv('show', id, '--json')));
    assert.equal(experiment.curriculum.alpha, 0.4);
    assert.deepEqual(epochs[0], parent.epochs[0]);
    assert.equal(epochs.length, 2);
    const { runs } = listSchema.parse(json(await genenv('list', '--json')));
    assert.deepEqual(
      runs.map((run) => run.id),
      [branch, id],
    );
    assert.match((await genenv('branch', id, '--epoch', '2')).err, /nothing left to run/);
    const set = 'reward.file=none.reward.py';
    const unmade = await genenv('branch', id, '--epoch', '1', '--set', set);
    assert.match(unmade.err, new RegExp(`^--set ${set}: error: There is no file`, 'm'));
    assert.match((await genenv('branch', id, '--epoch', '9')).err, /has no epoch 9: it has 2\./);
    assert.match((await genenv('branch', id)).err, /needs --epoch N/);
    const inherited = await genenv('branch', id, '--epoch', '1', '--set', 'domain.baseTasks=3');
    assert.equal(inherited.code, 2);
    assert.match(inherited.err, /cannot be changed in a branch/);
    assert.equal(listSchema.parse(json(await genenv('list', '--json'))).runs.length, 2);
  });

  it('is not run again when it is finished', async () => {
    const again = await genenv('resume', id);
    assert.equal(again.code, 0);
    assert.match(again.out, /is finished already/);
  });

  it('tells programs how it ended', async () => {
    const { code, out, err } = await genenv('run', 'tiny.genenv.json', '--set', 'epochs=1', '--json', '--report');
    assert.equal(code, 0, err);
    const end = z
      .strictObject({
        id: z.string(),
        state: z.literal('finished'),
        ending: z.literal('epochs'),
        epoch: z.literal(1),
        folder: z.string(),
        report: z.string(),
        conclusion: z.looseObject({ sentences: z.tuple([z.string(), z.string(), z.string()]) }),
      })
      .parse(JSON.parse(out));
    assert.ok(existsSync(end.report));
    assert.equal(end.folder, join(workspace.runs, end.id));
  });

  it('ends with 1 after an epoch in which nothing usable was written, says so everywhere, and can be branched', async () => {
    const root = ['--root', 'mute'];
    const ended = await genenv('run', 'tiny.genenv.json', '--set', 'generation.maxTokens=6', '--report', ...root);
    assert.equal(ended.code, 1);
    assert.match(ended.out, /Not one of \d+ texts of the environment in epoch 1 became a task \(truncated \d+/);
    assert.match(ended.out, /Next: see in the report why every text of the environment was rejected/);
    const [mute] = readdirSync(join(workspace.dir, 'mute'));
    assert.ok(mute !== undefined);
    assert.match((await genenv('list', ...root)).out, /finished \(no-tasks\) +1\/2/);
    assert.match((await genenv('show', mute, ...root)).out, /finished \(no-tasks\) .*\nNot one of/s);
    const again = await genenv('resume', mute, ...root, '--json');
    assert.deepEqual([again.code, json(again)], [1, { id: mute, state: 'finished', ending: 'no-tasks', epoch: 1 }]);
    const report = readFileSync(join(workspace.dir, 'mute', mute, 'report.html'), 'utf8');
    assert.match(report, /"endedEarly":true/);
    assert.match(report, /the environment wrote no task that could be used/);
    const mended = ['--epoch', '1', '--set', 'generation.maxTokens=160', '--run', '--json'];
    const branch = await genenv('branch', mute, ...mended, ...root);
    assert.equal(branch.code, 0, branch.err);
    assert.equal(z.looseObject({ ending: z.string() }).parse(json(branch)).ending, 'epochs');
    const checked = await genenv('check', 'tiny.genenv.json', '--set', 'generation.maxTokens=6');
    assert.equal(checked.code, 1);
    assert.match(checked.out, /^✘ One task end to end/m);
    assert.match(checked.out, /error: None of \d+ texts of the environment became a task \(truncated \d+/);
  });

  it('keeps its runs where --root says, and says so when it tells what to type', async () => {
    const made = await genenv('run', 'tiny.genenv.json', '--root', 'elsewhere', '--set', 'epochs=1');
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /report {2}node .*cli\.js report .* --root elsewhere\n/);
    assert.equal(listSchema.parse(json(await genenv('list', '--json', '--root', 'elsewhere'))).runs.length, 1);
  });
});
