/** New Study…: an experiment, the differences of its arms, the number of seeds, the length of a run. */
import { basename, dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import { readExperimentText } from '../../../shared/experiment/text/reading.ts';
import { withPreset } from '../../../shared/experiment/resolve.ts';
import { experimentSchema } from '../../../shared/experiment/schema.ts';
import { expectedWork } from '../../../shared/experiment/workload.ts';
import { studyText, type NewStudy } from '../core/newStudy.ts';

/** Why no study can be made. */
class NewStudyError extends Error {
  readonly reason = 'no-experiment';
  readonly remedy: string;

  constructor(message: string, remedy = '') {
    super(message);
    this.name = 'NewStudyError';
    this.remedy = remedy;
  }
}

/** @param given the experiment, where it was chosen. @returns undefined when it was given up */
export async function newStudy(given?: vscode.Uri): Promise<vscode.Uri | undefined> {
  const base = given?.path.endsWith('.genenv.json') === true ? given : await pickBase();
  if (base === undefined) return undefined;
  const title = vscode.l10n.t('New study of {0}', basename(base.path));
  const { written, problems } = readExperimentText(
    new TextDecoder().decode(await vscode.workspace.fs.readFile(base)),
    basename(base.path),
  );
  const experiment = written === null ? null : (experimentSchema.safeParse(withPreset(written)).data ?? null);
  if (experiment === null) {
    throw new NewStudyError(
      problems[0]?.message ?? vscode.l10n.t('The experiment cannot be read.'),
      problems[0]?.remedy,
    );
  }
  const arms = await askArms(title, experiment.mode);
  if (arms === undefined) return undefined;
  const seeds = await askCount(
    title,
    vscode.l10n.t('How many seeds? Fewer than 6 cannot show any difference at 5 %.'),
    8,
  );
  if (seeds === undefined) return undefined;
  const work = expectedWork(experiment);
  const usual = experiment.budget.rollouts ?? work.rollouts.run;
  const rollouts = await askCount(title, vscode.l10n.t('How many rollouts may each run spend?'), usual);
  if (rollouts === undefined) return undefined;
  const name = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Name of the study'),
    value: basename(base.path, '.genenv.json'),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('It needs a name.') : undefined),
  });
  if (name === undefined) return undefined;
  const folder = vscode.Uri.file(dirname(base.fsPath));
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file));
  const stem = name.trim().replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'study';
  const file = [stem, ...Array.from({ length: 100 }, (_, i) => `${stem}-${i + 2}`)].find(
    (one) => !taken.has(`${one}.study.json`),
  );
  const uri = vscode.Uri.joinPath(folder, `${file ?? stem}.study.json`);
  const text = studyText({ name: name.trim(), base: relative(folder.fsPath, base.fsPath), seeds, rollouts, ...arms });
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

async function pickBase(): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles('**/*.genenv.json', '**/{node_modules,.genenv}/**', 200);
  if (files.length === 0) {
    throw new NewStudyError(
      vscode.l10n.t('A study changes an experiment, and there is none yet.'),
      vscode.l10n.t('Make one with “GenEnv: New Experiment…”.'),
    );
  }
  const items = files.map((uri) => ({
    label: basename(uri.path),
    description: vscode.workspace.asRelativePath(uri),
    uri,
  }));
  const title = vscode.l10n.t('New study: which experiment is its base?');
  return (await vscode.window.showQuickPick(items, { title }))?.uri;
}

type Arms = Pick<NewStudy, 'arms' | 'grid'>;

async function askArms(title: string, mode: string): Promise<Arms | undefined> {
  const items: { label: string; detail: string; arms: Arms | null }[] = [
    {
      label: vscode.l10n.t('Curricula'),
      detail: vscode.l10n.t('The base against a frozen environment and against tasks written once.'),
      arms: {
        arms: Object.fromEntries(
          ['coevolve', 'random', 'static'].map((one) => [one, one === mode ? {} : { mode: one }]),
        ),
        grid: {},
      },
    },
    {
      label: vscode.l10n.t('Difficulty α'),
      detail: vscode.l10n.t('Success rates to aim at: 0.3, 0.5, 0.7.'),
      arms: { arms: {}, grid: { 'curriculum.alpha': [0.3, 0.5, 0.7] } },
    },
    {
      label: vscode.l10n.t('Difficulty α × band k_min'),
      detail: vscode.l10n.t('A grid of nine.'),
      arms: { arms: {}, grid: { 'curriculum.alpha': [0.3, 0.5, 0.7], 'curriculum.kMin': [0.1, 0.2, 0.3] } },
    },
    {
      label: vscode.l10n.t('A field of my own…'),
      detail: vscode.l10n.t('Any field of the experiment, and the values to go through.'),
      arms: null,
    },
  ];
  const placeHolder = vscode.l10n.t('What do its arms differ in?');
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
  if (picked === undefined || picked.arms !== null) return picked?.arms ?? undefined;
  return askField(title);
}

async function askField(title: string): Promise<Arms | undefined> {
  const { fields } = await import('../../../shared/experiment/fields.ts');
  const items = Object.entries(fields).map(([path, { label, symbol }]) => ({
    label: path,
    description: symbol === undefined ? label : `${symbol} · ${label}`,
  }));
  const field = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Which field?'),
    matchOnDescription: true,
  });
  if (field === undefined) return undefined;
  const values = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Values of {0}, with commas between them', field.label),
    validateInput: (text) => (valuesOf(text).length < 2 ? vscode.l10n.t('Two values at least.') : undefined),
  });
  return values === undefined ? undefined : { arms: {}, grid: { [field.label]: valuesOf(values) } };
}

/** JSON where it can be, else the text. */
const valuesOf = (text: string): (string | number | boolean)[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) =>
      part === 'true' || part === 'false' ? part === 'true' : Number.isNaN(Number(part)) ? part : Number(part),
    );

async function askCount(title: string, prompt: string, value: number): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    ...{ title, prompt, value: String(value) },
    validateInput: (given) =>
      /^[1-9]\d{0,8}$/.test(given.trim()) ? undefined : vscode.l10n.t('A whole number, 1 or more.'),
  });
  return text === undefined ? undefined : Number(text.trim());
}
